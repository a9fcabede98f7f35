// Reports: what the stored events say, by the definitions of docs/metrics.md.
//
//   Scope/      what is asked: apps, story, range of time, zone, groups (`ReportScope`)
//   Reading/    one row a session out of PostgreSQL: its attributes, and its events packed in one value
//   Judging/    what one session means: the definitions, in the words of docs/metrics.md (`SessionJudge`)
//   Counting/   sums over the judged sessions of a group (`FunnelTally`)
//   Formats/    a file for each output format
//
// The way of a report: `FunnelReporter.run` opens one read-only snapshot, streams the sessions of the scope through the
// judge into tallies, checks that the sums do not contradict each other, and returns a `Funnel`. A `FunnelFormat` prints it.
//
// Why sessions are judged here and not by SQL: docs/decisions/0005-judging-sessions-in-swift.md.
