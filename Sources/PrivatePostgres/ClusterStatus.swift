/// What there is of a private cluster.
public enum ClusterStatus: Sendable, Equatable {
  /// No cluster; the path where it would be.
  case absent(lookedIn: String)
  /// A cluster whose server does not run.
  case stopped(directory: String, majorVersion: String)
  /// A cluster whose server accepts connections, or will when it has recovered.
  /// - `keptRunning`: it stays when the last command ends, until `database stop`.
  case running(
    directory: String, majorVersion: String, processIdentifier: Int32, keptRunning: Bool, connectionString: String)
}
