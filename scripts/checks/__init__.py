"""What `scripts/check` compares beside building and testing. Only Python's standard library; each file is one check."""
