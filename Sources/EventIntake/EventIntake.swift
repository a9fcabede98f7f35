// EventIntake: the bytes of a request or a file → judged records.
//
// `Intake` judges a request's body (contract §1, §2): EventScanner lists what stands in it, `EventJudge` tries the rules,
// and what comes of it stands in an `EventRecordWriter`, ready for the spool. `EventFile` does the same for files of any
// size. Nothing here knows HTTP, the spool or PostgreSQL, and nothing is allocated for an event that passes.
//
//   Intake               a request's body: one text, or lines of them
//   Intake+Text          one text: batch, array or event
//   Intake+Event         one event: the rules, in their order
//   EventDraft           what has been read of an event so far
//   ContextJudge         a context's fields, and the merging of two
//   Fault, FaultMessage  what was wrong, and how it is said
//   Timestamp            RFC 3339 and milliseconds
//   DocumentSurvey       a text of any size, in chunks
//   EventFile            files

/// The largest text that is scanned in one piece; larger ones are split at their events first.
let largestTextScannedWhole = 4 * 1024 * 1024
