import CLibPQ

/// A connection to PostgreSQL.
///
/// It belongs to one thread at a time and is closed when it goes out of scope, without blocking. Every wait has a limit
/// (`ConnectionOptions`, or a `timeout` of the call). When a limit passes or a wait is interrupted in the middle of a
/// statement, nobody knows that statement's end: the connection is given up (`isUsable` is false), the server is asked
/// to cancel the statement (which may add 0.2 seconds), and the caller connects anew.
public struct PostgresConnection: ~Copyable {
  let session: ConnectionSession
  let options: ConnectionOptions
  /// Referred to by libpq without being retained: has to live as long as the connection.
  private let notices: NoticeSink
  /// Set where a statement's end was not waited for: what comes next on the wire would answer the wrong question.
  var isGivenUp = false

  /// The handle by which other threads cancel a statement or end a wait.
  public let cancellation: Cancellation

  /// Connects.
  ///
  /// The look-up of a host's name can block beyond the limit (see the top of this module); a socket directory or
  /// `hostaddr` cannot.
  ///
  /// - Parameters:
  ///   - options: where to and as whom.
  ///   - log: gets notices and warnings of the server, on the thread that uses the connection.
  /// - Throws: `.connection` where nothing answers, `.server` with the SQLSTATE where the server refuses (28P01, 3D000,
  ///   53300, 57P03, …), `.timeout`, `.interrupted`, `.usage` where a password is missing.
  public init(
    _ options: ConnectionOptions, log: @escaping @Sendable (Notice) -> Void = { _ in }
  ) throws(PostgresError) {
    let interrupt = if let shared = options.interrupt { shared } else { try WaitInterrupt() }
    let notices = NoticeSink(log: log)
    let connection = try ConnectionAttempt(options: options, interrupt: interrupt, notices: notices).run()
    self.options = options
    self.notices = notices
    session = ConnectionSession(connection: connection, interrupt: interrupt)
    cancellation = Cancellation(of: connection, interrupt: interrupt)
  }

  deinit {
    // Nonblocking: libpq tries once to send its farewell, and closes the socket.
    PQfinish(session.connection)
  }

  /// Closes the connection now; the same as letting it go out of scope. Does not block.
  public consuming func close() {}

  /// Whether statements can be run. False for good after a time-out, an interrupt in the middle of a statement, or the
  /// loss of the connection. It looks at what is known and asks nobody: a server that went away since is found out by
  /// the next statement.
  public var isUsable: Bool { !isGivenUp && !session.isBroken }

  /// The state of the transaction, as the server last told.
  public var transactionStatus: TransactionStatus {
    if isGivenUp { return .unknown }
    return TransactionStatus(PQtransactionStatus(session.connection))
  }

  /// The server's version as one number: 150018 is 15.18.
  public var serverVersion: Int { Int(PQserverVersion(session.connection)) }

  /// The server process of this connection (behind a pooler: whatever the pooler says).
  public var backendProcessID: Int32 { PQbackendPID(session.connection) }

  /// A setting that the server reports by itself, such as `server_encoding` or `TimeZone`.
  public func parameterStatus(_ name: String) -> String? {
    PQparameterStatus(session.connection, name).map { String(cString: $0) }
  }
}

/// `@unchecked Sendable`: a noncopyable value has one owner, and all that talks to the server is `mutating`, so
/// exclusive; what is not only reads what libpq has in memory. libpq lets a connection go from thread to thread.
extension PostgresConnection: @unchecked Sendable {}

/// Where a connection stands in a transaction.
public enum TransactionStatus: Sendable {
  /// In none.
  case idle
  /// A statement is under way.
  case active
  /// In a transaction.
  case inTransaction
  /// In a transaction that can only be rolled back.
  case failed
  /// The connection is lost or given up.
  case unknown

  init(_ status: PGTransactionStatusType) {
    switch status {
    case PQTRANS_IDLE: self = .idle
    case PQTRANS_ACTIVE: self = .active
    case PQTRANS_INTRANS: self = .inTransaction
    case PQTRANS_INERROR: self = .failed
    default: self = .unknown
    }
  }
}
