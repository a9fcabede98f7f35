// PrintedText: what senders wrote, made fit for a terminal (`DisplayText`), how wide it is there (`DisplayWidth`), and as
// cells of a table for programs and spreadsheets (`CSVText`).
