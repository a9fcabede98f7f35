// Simulation: a world of phones whose numbers are known.
//
//   WorldConfiguration  what the world is like: stories, viewers, devices, time
//   World               session by session, the same for the same seed: who watched what, and the events that came of it
//   Surfaces/           the same of rich media and of answers to notifications; WorldSessions puts all in one order
//   Delivery/           what happens to events on their way: lost, repeated, out of order, late, by a wrong clock
//   Truth/              TruthCounter: the funnel of those events by the definitions of metrics.md, in plain Swift: the
//                       answer that a report must give; RichMediaTruth and ResponseTruth those of the other surfaces.
//                       They share nothing with the reports
//   Client/             the same world through the library that apps use, in the place of Delivery and EventSender
//   BatchWriter         events → JSON (contract §1), into a buffer that is used again
//   EventSender         batches → a collector, over HTTP
//   Simulator           all of it, in one call
//
// The way is World → SimulatedSession → Delivery → Parcel → Batcher → (truth, writer). A session carries the list of its
// events as they are delivered, and truth is counted from that list with the times of the batch that arrives first:
// whatever is done to events on their way, the truth stays exact.
