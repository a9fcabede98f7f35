// Postgres: libpq for Swift.
//
// A `PostgresConnection` is a noncopyable handle of one libpq connection and belongs to one thread at a time. It runs
// statements with typed parameters and binary results, streams rows, copies in and out, and keeps transactions. It
// knows nothing of what is stored.
//
// What every file here keeps to:
//
// - libpq is used without blocking: sockets are waited for with poll(2), in one place (`ConnectionSession+Waiting`),
//   always with a limit and always together with a `WaitInterrupt`, so neither a stopped server nor a broken network
//   holds a thread for good. Where a wait ends early the connection is given up: `isUsable` turns false, and closing
//   it does not block either.
// - The one wait that is not ours is the look-up of host names: libpq calls getaddrinfo(3) when an attempt starts. Its
//   limit is the resolver's (see resolv.conf(5): `options timeout:… attempts:…`). An address (`hostaddr=`, or a socket
//   directory as `host=`) needs no look-up.
// - Connection strings, `PG*` variables, services and passfiles are read by libpq itself, so they mean here what its
//   documentation says.
// - The default ways need no named prepared statement, no session state and no superuser: they work through PgBouncer
//   in transaction mode.
// - What an error says of itself (`description`) never holds values of rows or passwords; `debugDescription` may hold
//   values.
