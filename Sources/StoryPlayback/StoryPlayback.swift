// StoryPlayback: what a phone would do with a push story, without a phone (playback §1).
//
//   StoryPayload   bytes or userInfo → the pages that would play, or the fallback and why (playback §1.1, playback §1.2)
//   StoryPlayer    pages, time and gestures → the SDK's callbacks in their order (playback §1.3)
//   ViewerMix      who watches, with which probabilities
//   Viewer         one of them watching one story, driven by a seeded generator
//
// Nothing here knows the time of day, draws from the system's randomness or does I/O. It compiles for iOS 15 and counts time
// in whole microseconds.
