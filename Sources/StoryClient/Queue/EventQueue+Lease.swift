import Foundation

extension EventQueue {
  /// No lease is longer, in microseconds: one that seems to be was written by a clock that was wrong, or is read by one.
  private static let longestLeaseMicroseconds = Int64(UploadBackoff.mostAskedSeconds * 1_000_000)

  func takeLease(seconds: Double) -> Bool {
    guard isRecordingAllowed else { return true }
    let now = clock.wallMicroseconds
    do throws(FileFault) {
      if let lease = lease(try files.read(path(QueueNames.lease), mostBytes: 128)), lease.owner != owner,
        lease.end > now, lease.end <= now + Self.longestLeaseMicroseconds
      {
        return false
      }
    } catch  where error.isMissing {
      // Nobody has it, or there is no queue yet: nothing is made for it.
      do throws(FileFault) { _ = try files.status(directory) } catch { return true }
    } catch {
      return false
    }
    let end = now + min(Int64(max(0, min(seconds, 86_400)) * 1_000_000), Self.longestLeaseMicroseconds)
    do throws(FileFault) {
      try replace(QueueNames.lease, with: QueueEntry.plainFile("\(owner) \(end)"))
      return lease(try files.read(path(QueueNames.lease), mostBytes: 128))?.owner == owner
    } catch {
      // A full disk is emptied by uploading.
      return error.isFull
    }
  }

  func releaseLease() {
    do throws(FileFault) {
      guard lease(try files.read(path(QueueNames.lease), mostBytes: 128))?.owner == owner else { return }
      try files.remove(path(QueueNames.lease))
    } catch {}
  }

  private func lease(_ bytes: [UInt8]) -> (owner: String, end: Int64)? {
    guard let parts = QueueEntry.plainPayload(bytes)?.split(separator: " "), parts.count == 2,
      let end = Int64(parts[1])
    else { return nil }
    return (String(parts[0]), end)
  }
}
