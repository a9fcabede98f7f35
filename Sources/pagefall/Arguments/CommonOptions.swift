/// The options that every command takes.
enum CommonOptions {
  static let dataDirectory = Option(
    "data-dir", takes: "DIR", help: "where the private PostgreSQL and the spool live (default .pagefall)",
    configurable: true)
  static let database = Option(
    "database", takes: "CONNINFO",
    help: "the PostgreSQL to use: a libpq connection string or URI (default: PG* variables, else a private one)",
    configurable: true)
  static let configurationFile = Option(
    "config", takes: "FILE", help: "read settings from FILE, lines of `name = value` (or PAGEFALL_CONFIG)")
  static let logLevel = Option(
    "log-level", takes: "LEVEL", help: "debug, info, warning or error (default info); logs go to stderr",
    configurable: true)
  static let help = Option("help", short: "h", help: "show this help")

  static let all = [dataDirectory, database, configurationFile, logLevel, help]
}
