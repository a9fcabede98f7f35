// EventStore: everything that is kept in PostgreSQL, but for the reading of it in reports.
//
//   Migrator, SchemaStatus   the tables: sql/NNNN_name.sql, compiled into the program, applied in order
//   KeyStore, WriteKey       who may send
//   AppStore                 whose events they are
//   BatchStore               events of many records, stored exactly once with one transaction
//   Loader                   the thread that empties the spool into PostgreSQL
//   Housekeeping             months ahead, bounds of what was rejected
//
// How exactly-once works, what is locked in which order, and how to set up rights and retention: docs/storage.md.
