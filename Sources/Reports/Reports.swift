// Reports: what the stored events say, by the definitions of docs/metrics.md.
//
//   Scope/      what is asked: apps, story, range of time, groups (`ReportScope`)
//   Reading/    one row a session out of PostgreSQL: its attributes, and its events packed in one value
//   Counting/   the tallies of groups, and names with their counts
//   Formats/    a file for each output format
//
// The way of a report: `FunnelReporter.run` opens one read-only snapshot, streams the sessions of the scope through the
// judge of SessionMetrics into tallies, checks that the sums do not contradict each other, and returns a `Funnel`. A
// `FunnelFormat` prints it.
