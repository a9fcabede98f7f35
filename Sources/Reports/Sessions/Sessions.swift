// Sessions: single sessions for people who ask why a number is what it is.
//
//   SessionFinder, SessionList        which sessions there are: a line a session (`pagefall report sessions`)
//   SessionListTable                  how they are printed for people; as JSON and CSV: SessionListFormat
//   SessionReference                  an id as people write it, or its beginning
//   SessionTimeline, +Reading         one session, event by event (`pagefall report session`)
//   TimelineEvents                    each event, and how and why an impression left
//   SurfaceEvents                     events of rich media and responses in words
//   SessionSteps                      how the session counts at each step of the funnel, and why not
//   RejectedLook                      rejected events that name the session
//   SessionTimelineText               how a timeline is printed for people; as JSON: SessionTimelineFormat
//   ClockText                         instants and lengths of time, exact to the millisecond
//
// What a session counts for comes from the judge of SessionMetrics alone. Here it is only said in words.
