import Spool
import Synchronization

/// The real file system, whose syncs fail while it is told to.
final class FailingDisk: SpoolFileSystem {
  private let system = SpoolEnvironment.system.fileSystem
  let isFailing = Atomic<Bool>(false)

  func environment() -> SpoolEnvironment {
    var environment = SpoolEnvironment.system
    environment.fileSystem = self
    return environment
  }

  func synchronizeData(_ descriptor: Int32) throws(SystemFailure) {
    if isFailing.load(ordering: .relaxed) { throw SystemFailure(code: 5) }
    try system.synchronizeData(descriptor)
  }

  func open(_ path: String, _ access: FileAccess) throws(SystemFailure) -> Int32 { try system.open(path, access) }
  func close(_ descriptor: Int32) { system.close(descriptor) }
  func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(SystemFailure) -> Int { try system.read(descriptor, into: buffer, at: offset) }
  func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, filling: UnsafeRawBufferPointer, at offset: Int64
  ) throws(SystemFailure) -> Int { try system.write(descriptor, bytes, filling: filling, at: offset) }
  func synchronize(_ descriptor: Int32) throws(SystemFailure) { try system.synchronize(descriptor) }
  func truncate(_ descriptor: Int32, to bytes: Int64) throws(SystemFailure) {
    try system.truncate(descriptor, to: bytes)
  }
  func attributes(_ descriptor: Int32) throws(SystemFailure) -> FileAttributes { try system.attributes(descriptor) }
  func setModificationTime(_ descriptor: Int32, microseconds: Int64) throws(SystemFailure) {
    try system.setModificationTime(descriptor, microseconds: microseconds)
  }
  func lock(_ descriptor: Int32) throws(SystemFailure) { try system.lock(descriptor) }
  func makeDirectory(_ path: String) throws(SystemFailure) { try system.makeDirectory(path) }
  func list(_ path: String) throws(SystemFailure) -> [String] { try system.list(path) }
  func rename(_ path: String, to newPath: String) throws(SystemFailure) { try system.rename(path, to: newPath) }
  func remove(_ path: String) throws(SystemFailure) { try system.remove(path) }
  func space(at path: String) throws(SystemFailure) -> DiskSpace { try system.space(at: path) }
}
