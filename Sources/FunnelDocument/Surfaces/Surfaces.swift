// Surfaces: what is counted of push surfaces other than stories, as values that the reports and the simulator's truth share.
//
//   RichMediaReport   presentations of rich media, a line a content code (docs/rich-media.md): `RichMediaCounts`, and what is
//                     derived of them, `RichMediaRates`; +JSON, +Reading, +Conservation as of a funnel
//   ButtonsReport     answers to interactive notifications, a line a category and a button (docs/buttons.md): `ResponseCounts`
//                     and the lines in ButtonCounts, `ResponseRates`; +JSON, +Conservation
//   SurfaceLosses     what is known to be lost beside the events of either (metrics §4)
//
// Both are built alike, and their JSON forms have the same keys where they mean the same.
