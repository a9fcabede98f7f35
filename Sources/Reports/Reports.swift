// Reports: what the stored events say, by the definitions of docs/metrics.md.
//
//   Scope/      what is asked: apps, story, range of time, conditions, groups (`ReportScope`)
//   Reading/    one row a session out of PostgreSQL, judged (`SessionStream`), and what else the database knows
//   Counting/   the tallies of groups, names with their counts, devices, days
//   RichMedia/  presentations of rich media, a line a content code (`RichMedia`)
//   Stories/    a line a story (`StoriesReport`)
//   Buttons/    how interactive notifications were answered (`ButtonsReport`)
//   Pages/      what pages are called, and what they were called before
//   Comparing/  two funnels side by side: differences, p-values, and what can be concluded (`Comparison`)
//   Sessions/   sessions found, and one as a timeline with how it counts (`SessionFinder`, `SessionTimeline`)
//   Quality/    how far the numbers of a scope can be trusted (`QualityReport`)
//   Formats/    a file for each output format of funnels and stories, and the words and pieces that all reports share
//
// The way of a report: `FunnelReporter.run` opens one read-only snapshot, streams the sessions of the scope through the
// judge of SessionMetrics into tallies, checks that the sums do not contradict each other, and returns a `Funnel`. A
// `FunnelFormat` prints it.
