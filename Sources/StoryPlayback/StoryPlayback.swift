// StoryPlayback: what a phone would do with a push story, a rich media or a category of buttons, without a phone (playback).
//
//   StoryPayload   bytes or userInfo → the pages that would play, or the fallback and why (playback §1.1, playback §1.2)
//   StoryPlayer    pages, time and gestures → the SDK's callbacks in their order (playback §1.3)
//   ViewerMix      who watches, with which probabilities
//   Viewer         one of them watching one story, driven by a seeded generator
//   RichMedia/     requests, loading and closing of modal windows → their delegate's callbacks (playback §2)
//   Notifications/ the answer of registerDevice → categories of buttons, and what is skipped (playback §3): CategoryResponse
//
// Nothing here knows the time of day, draws from the system's randomness or does I/O. It compiles for iOS 15 and counts time
// in whole microseconds.
