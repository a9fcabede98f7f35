import PrivatePostgres
import ServiceLog

extension Invocation {
  /// The data directory: `--data-dir`, else `.pagefall`.
  var dataDirectory: String { value(CommonOptions.dataDirectory) ?? ".pagefall" }

  /// The log on stderr, at the level that was asked for.
  func log() throws(CommandError) -> ServiceLog {
    let level = try value(CommonOptions.logLevel, as: "debug, info, warning or error") { ServiceLog.Level(name: $0) }
    return ServiceLog(minimumLevel: level ?? .info)
  }

  /// The private cluster of the data directory. What it has to say to people goes to stderr.
  func privateCluster() throws(CommandError) -> PrivateCluster {
    let quiet = ServiceLog(minimumLevel: .warning)
    return PrivateCluster(dataDirectory: dataDirectory, log: quiet) { Console.note("pagefall: \($0)") }
  }
}
