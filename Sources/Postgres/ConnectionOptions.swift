import CLibPQ

/// Where to connect, as whom, and how long to wait: libpq's connection parameters and this module's limits.
///
/// What is not given here, libpq fills in when connecting, exactly as it documents: the service (`service=`,
/// `PGSERVICE`), the `PG*` variables, its defaults, and the password from `PGPASSWORD` or the passfile.
public struct ConnectionOptions: Sendable {
  /// How long one host may take to accept a connection, from the first packet to the end of authentication.
  ///
  /// Nil, the default, means libpq's `connect_timeout` (also from `PGCONNECT_TIMEOUT` or the service) where one is
  /// given (at least two seconds, as in libpq), and 10 seconds otherwise. Where several hosts are given each has that
  /// time, as in libpq.
  public var connectTimeout: Duration?

  /// How long a statement may take where the call names no `timeout` of its own; nil waits without limit.
  /// 60 seconds by default. For streams and COPY it is the longest time without progress.
  public var queryTimeout: Duration? = .seconds(60)

  /// Ends the attempt to connect, and every wait of the connection.
  public var interrupt: WaitInterrupt?

  /// What was given, by libpq keyword.
  var parameters: [String: String]

  /// Reads a connection string as libpq does.
  ///
  /// - Parameters:
  ///   - connectionString: `key=value` pairs, a `postgresql://` URI, or (as for psql) the bare name of a database. Nil
  ///     or an empty text: everything comes from the environment.
  ///   - overrides: libpq keywords and values that win over the string, such as
  ///     `["fallback_application_name": "loader", "options": "-c statement_timeout=5000"]`. (PgBouncer refuses
  ///     `options` unless told to ignore them; `SET LOCAL` in a transaction works everywhere.)
  /// - Throws: `.usage` for what libpq cannot read, in words that quote nothing (a password may be in it).
  public init(_ connectionString: String? = nil, overrides: [String: String] = [:]) throws(PostgresError) {
    parameters = try Self.parse(connectionString ?? "")
    let known = Self.knownKeywords
    for (keyword, value) in overrides {
      guard known.contains(keyword) else {
        throw PostgresError(.usage, "this libpq has no connection parameter of the name \(keyword.onOneLine)")
      }
      try Self.refuseZeroBytes(value)
      parameters[keyword] = value
    }
  }

  /// A parameter as it was given, by libpq keyword (`dbname`, `host`, …); nil where the environment decides.
  public subscript(keyword: String) -> String? {
    get { parameters[keyword] }
    set { parameters[keyword] = newValue }
  }
}

extension ConnectionOptions: CustomStringConvertible {
  /// What was given, without secrets: see `redacted`.
  public var description: String { redacted }

  /// The parameters that say where and as whom, for messages. Passwords, and parameters that could hold something
  /// secret, are never in it.
  public var redacted: String {
    let shown = ["service", "host", "hostaddr", "port", "dbname", "user", "sslmode", "target_session_attrs"]
    let pairs = shown.compactMap { keyword in parameters[keyword].map { "\(keyword)=\($0.onOneLine)" } }
    return pairs.isEmpty ? "libpq's defaults" : pairs.joined(separator: " ")
  }
}
