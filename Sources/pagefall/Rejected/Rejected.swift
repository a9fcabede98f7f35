// What was refused, for people: `pagefall rejected list|show|replay`.
//
//   RejectedOptions            the filter that the three share, and the handles
//   RejectedTable, +Formats    what `list` prints: for people; as JSON and CSV
//   RejectedPage               what `show` prints
//   EscapedBytes               bytes of senders, made fit for a terminal
//   ReplayJudge                an event under the present rules
//   ReplayRun, ReplaySummary   page by page: judged, stored, taken out; and what is said of it
