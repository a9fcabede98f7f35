/// Why a simulation did not run to its end.
public enum SimulationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A setting that makes no sense; the text says which and what is possible.
  case invalidConfiguration(String)
  /// The message could not be read; the text says why.
  case unreadableMessage(String)
  /// The output could not be written; the text names it and the system's reason.
  case cannotWrite(String)
  /// Whoever read the output has closed it, as `head` does.
  case closedPipe
  /// The collector refused in a way that trying again does not help (contract §2); the text quotes it.
  case refused(String)
  /// The collector did not answer for as long as the sender's patience lasts.
  case unreachable(String)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .invalidConfiguration(let text), .unreadableMessage(let text), .cannotWrite(let text), .refused(let text),
      .unreachable(let text):
      text
    case .closedPipe: "the output was closed"
    }
  }
}
