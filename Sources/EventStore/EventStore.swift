// EventStore: everything that is kept in PostgreSQL, but for the reading of it in reports.
//
//   Migrator, SchemaStatus   the tables: sql/NNNN_name.sql, compiled into the program, applied in order
//   KeyStore, WriteKey       who may send
//   AppStore                 whose events they are
//   BatchStore               events of many records, stored exactly once with one transaction
//   Loader                   the thread that empties the spool into PostgreSQL
//   RejectedStore            what was refused: to be found, and to be tried again
//   StoryPageStore           what pages look like, told by people
//   CategoryStore            categories of interactive notifications and their buttons, told by people, with their history
//   SessionHistory           all events of a session in one value of its row; BatchStore writes it, HistoryPacking later
//   Housekeeping             months ahead, bounds of what was rejected and of the journal, histories of quiet sessions
//
// How exactly-once works, what is locked in which order, and how to set up rights and retention: docs/storage.md.
