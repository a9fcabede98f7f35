// PrintedText: what senders wrote, made fit for a terminal (`DisplayText`), and how wide it is there (`DisplayWidth`).
