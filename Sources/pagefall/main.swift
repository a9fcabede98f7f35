print("pagefall")
