/// Why a spool could not do what it was asked.
public enum SpoolError: Error, Equatable, Sendable {
  /// Another process, or another ``Spool`` of this one, has the directory open. The process id is nil where the
  /// holder could not write it down.
  case inUse(directory: String, holderProcess: Int32?)

  /// There is no room for the record. What was acknowledged is untouched; try again when the loader has caught up.
  case full(SpoolFullReason)

  /// The record is larger than ``SpoolConfiguration/maximumRecordBytes``.
  case recordTooLarge(bytes: Int, maximumBytes: Int)

  /// A system call failed with this `errno`.
  case system(operation: SpoolOperation, path: String, code: Int32)

  /// The file was written by a later version of this program.
  case unsupportedFormat(path: String, version: UInt32)

  /// ``Spool/close()`` has been called.
  case closed
}

/// What limits a full spool.
public enum SpoolFullReason: String, Sendable, CaseIterable {
  /// ``SpoolConfiguration/maximumBytes`` is reached.
  case maximumBytes

  /// ``SpoolConfiguration/diskReserveFraction`` of the disk would no longer stay free.
  case diskReserve

  /// The system itself refused: no space on the device, or the quota is used up.
  case deviceFull
}

/// The system call that failed, for ``SpoolError/system(operation:path:code:)``.
public enum SpoolOperation: String, Sendable, CaseIterable {
  case open, read, write, synchronize, truncate, lock, list, rename, remove, inspect
  case makeDirectory = "make directory"
}

extension SpoolError: CustomStringConvertible {
  /// One line that says what happened and what to do; no record bytes.
  public var description: String {
    switch self {
    case .inUse(let directory, let holder?):
      "the spool \(directory) is in use by process \(holder): stop it, or choose another directory"
    case .inUse(let directory, nil):
      "the spool \(directory) is in use by another process: stop it, or choose another directory"
    case .full(let reason):
      reason.description
    case .recordTooLarge(let bytes, let maximumBytes):
      "a record of \(bytes) bytes is over the spool's limit of \(maximumBytes): split it"
    case .system(let operation, let path, let code):
      "cannot \(operation.rawValue) \(path): \(SystemFailure(code: code).message)"
    case .unsupportedFormat(let path, let version):
      "\(path) has format version \(version), which this version cannot read: use the newer program"
    case .closed:
      "the spool is closed"
    }
  }
}

extension SpoolFullReason: CustomStringConvertible {
  /// One line that says what to do.
  public var description: String {
    switch self {
    case .maximumBytes:
      "the spool has reached its maximum size: bring the database back, or raise the maximum"
    case .diskReserve:
      "the spool's disk has reached the reserve that stays free: free space on it"
    case .deviceFull:
      "the spool's disk or quota is full: free space on it"
    }
  }
}
