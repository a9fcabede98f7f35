// EventIntake: the bytes of a request or a file → judged records.
//
// `Intake` judges a request's body (contract §1, §2) or a file of any size: EventScanner lists what stands in a text,
// the rules are tried event by event, and what comes of it stands in an `EventRecordWriter`, ready for the spool. Nothing
// here knows HTTP, the spool or PostgreSQL, and nothing is allocated for an event that passes.
//
//   Intake                       what is judged, and all that is reused from body to body; `judge` for a request's body
//   Intake+Text, Intake+Event    one text: batch, array or event; one event: the rules, in their order
//   Intake+File, EventFile       `judgeFile`: lines, or one text of any size; what it takes and gives
//   Intake+LargeText             a text beyond what is scanned whole: checked first, then read event by event
//   DocumentReader               its events, chunk by chunk; DocumentProblems says where a text is broken
//   FileFormatDetection          lines, or one text?
//   EventDraft, ContextJudge     what has been read of an event and of a context, and the faults in it
//   Fault, FaultMessage          what was wrong, and how it is said
//   IntakeTally, IntakeOutcome   what is counted on the way, and what the sender is told
//   Timestamp, NumberText, PropertiesText, NameTable   values
//   Scanner                      owns the C scanner

/// The largest text that is scanned in one piece; larger ones are split at their events first.
let largestTextScannedWhole = 4 * 1024 * 1024
