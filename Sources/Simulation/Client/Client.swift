// Client: a world whose phones use the library that apps use, so that what ships is what is tested.
//
//   ClientConfiguration  where to send to, and where the queue lies
//   ClientPhone          the clock and the randomness of the phone that plays
//   ClientMessage        what arrives on the phone: the message's payload, or one that falls back
//   ClientRecording      callbacks → the library's recorders, of stories, rich media and responses
//   ClientTruth          what reports must show of the recorded sessions
//   ClientUpload         waits for the library's uploader, so that the queue never comes near its bound
//   Simulator+Client     all of it, in one call
//
// The way is World → SimulatedSession → StoryRecorder → queue on disk → Uploader → collector. Truth is counted from the
// simulated session: the library has to bring all of it over.
