// PrintedText: what senders wrote, made fit for a terminal (`DisplayText`; `+JSON` where it stands in JSON), how wide it is
// there (`DisplayWidth`), broken into lines (`WrappedText`), and as cells of a table for programs and spreadsheets
// (`CSVText`). `ScalarText` finds marks in them whatever combines with these.
