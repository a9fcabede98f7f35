// What is stored, as it is stored: `pagefall tail`.
//
//   TailFilter              which events are wanted
//   TailReader              new rows of pagefall.stored_batches (StoredBatch), each exactly once
//   TailReader+Events       the events of keys, of sessions, and what was rejected
//   TailLine, TailPiece     an event, and what is written at a time; TailFormat for people and for programs
//   TailRun                 the last lines, then on and on: lost connections, signals, closed pipes
