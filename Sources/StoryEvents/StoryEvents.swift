// StoryEvents: the vocabulary of the contract, shared by the phone's side, the collector, the store and the reports.
//
// What an event is called (`EventType`), what identifies it (`SessionID` and its `seq`), what describes its session
// (`ContextField`), why one is refused (`RejectionCode`), what becomes of an accepted one (`EventFate`), how large
// things may be (`ContractLimits`), and how texts and times are written (`JSONText`, `TimestampWriter`). No I/O, no Foundation,
// no system library: app teams compile this for iOS 15.
