/// How a command ends.
enum ExitCode: Int32, Sendable {
  /// All went well.
  case success = 0
  /// The command ran, and the data had faults: a rejected event, a report that does not add up.
  case dataFault = 1
  /// The command line was wrong.
  case usage = 2
  /// Something that the command needs is missing: a database, a file, a port.
  case environment = 3
  /// Another run is at work; trying again later is all there is to do (sysexits.h, EX_TEMPFAIL).
  case busy = 75
}
