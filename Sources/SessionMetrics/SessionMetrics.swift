// SessionMetrics: what a session counts for, by the definitions of docs/metrics.md; knows no database.
//
//   Judging/    one session after the other: from its events (`SessionHistory`) to what it means (`SessionJudge`)
//   Counting/   sums over judged sessions (`FunnelTally`), of which two can be added up
//
// Reports and exports stand on this, so that they cannot differ. Why sessions are judged here and not by SQL:
// docs/decisions/0005-judging-sessions-in-swift.md.
