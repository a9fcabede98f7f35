// Surfaces: the sessions of a world that are no stories, and the order of all of them.
//
//   RichMediaWorld    which rich media apps show, and how often (SimulatedRichMedia; +JSON reads the file of docs/simulator.md)
//   AppVisit          one visit to an app in which some of them are asked for, played with `ModalPlayer`
//   RichMediaDetails  what their events tell, as JSON made once
//   ResponseWorld     the categories of notifications, and how people answer
//   World+Surfaces    the sessions of both, each the same for the same seed, whatever else is in the world
//   WorldSessions     all sessions of a world, of all surfaces, by their starts
