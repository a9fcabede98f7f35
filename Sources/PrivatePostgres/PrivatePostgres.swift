// PrivatePostgres: a PostgreSQL of the program's own, for commands to which no database was named.
//
// What stands in a data directory (`.pagefall` by default):
//
// | path | what it is |
// |---|---|
// | `postgres/` | the cluster's home, mode 0700, owned by the user the server runs as |
// | `postgres/data` | the cluster as initdb made it, settings in `pagefall.conf` |
// | `postgres/server.log` | the server's log; begun anew (the old one kept as `.1`) when it has 8 MiB at a start |
// | `postgres/socket` | the directory of the Unix socket, the only way in |
// | `postgres.location` | only where the home lies elsewhere: its path, and the data directory it was made for |
// | `postgres.lock` | held exclusively while the cluster is made, started or stopped |
// | `postgres.users` | held shared by each command that uses the server |
// | `postgres.keep` | the running server that `database start` asked to keep: its process id and start time |
//
// **Who may connect.** No TCP. `peer` authentication: the kernel tells the server which user a client is, and only
// the server's own user and root are let in, as role `pagefall`. There is no password to keep. The directories are
// closed to others besides.
//
// **Who runs it.** PostgreSQL refuses root. Started by root, the server runs as the owner of the data directory, or,
// when that is root too, as `postgres`, else `nobody`; where that user cannot enter the data directory (below `/root`)
// the home lies in `/var/lib/pagefall`. See `ServerUser`.
//
// **When it ends.** Locks are `flock`s: the kernel drops them with the process, so a killed command is no user any
// more. A command that ends takes `postgres.lock`, and when it then gets `postgres.users` exclusively it was the last
// and stops the server. A server left behind by a killed command is stopped by the next command that ends.

/// Names and places that belong to every private cluster.
enum PrivateNames {
  /// The cluster's superuser and only role.
  static let role = "pagefall"
  /// The database that commands use.
  static let database = "pagefall"
  /// Given explicitly, so that `PGPORT` does not matter; a socket's name contains it.
  static let port = 5432
  /// The home's name in the data directory.
  static let home = "postgres"
  /// Where homes lie that cannot lie in their data directory.
  static let systemHomes = "/var/lib/pagefall"
}
