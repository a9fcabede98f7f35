import Foundation
import Spool
import TestSupport

/// A file system in memory that forgets at a crash what was not synced, as strictly as POSIX allows, and fails on demand.
///
/// A failed sync drops the bytes it should have made durable, and a later one reports success: as Linux does.
final class SimulatedDisk: SpoolFileSystem {
  enum Call: Sendable, Equatable {
    case open, read, write, synchronizeData, synchronize, truncate, makeDirectory, list, rename, remove, space
  }

  enum Fault: Sendable {
    case fail(SystemFailure)
    /// Does only this many bytes of a read or write.
    case short(Int)
    /// Writes this many bytes, then fails.
    case failAfter(Int, SystemFailure)
  }

  /// A file; `losePower` stands in SimulatedDisk+PowerLoss.swift.
  struct Inode {
    var bytes: [UInt8] = []
    var durable: [UInt8] = []
    var modifiedAtMicroseconds: Int64 = 0
    var lostASync = false
    var syncsAfterFailure = 0
    var lockedBy: Int32?
  }

  fileprivate struct State {
    var inodes: [Int: Inode] = [:]
    var names: [String: Int] = [:]
    var durableNames: [String: Int] = [:]
    var directories: Set<String> = ["/"]
    var descriptors: [Int32: (inode: Int, path: String)] = [:]
    var next = 1
    var totalBytes: Int64 = 1 << 40
    var foreignBytes: Int64 = 0
    var fault: (@Sendable (Call, String) -> Fault?)?
    var readFault: (@Sendable (String, Range<Int64>) -> Bool)?
    var calls: [Call] = []
  }

  private let state = Guarded(State())

  // MARK: For tests

  func setFault(_ fault: (@Sendable (Call, String) -> Fault?)?) {
    state.withLock { $0.fault = fault }
  }

  /// Reads of these ranges fail with EIO.
  func setReadFault(_ fault: (@Sendable (String, Range<Int64>) -> Bool)?) {
    state.withLock { $0.readFault = fault }
  }

  func setSpace(totalBytes: Int64, foreignBytes: Int64 = 0) {
    state.withLock {
      $0.totalBytes = totalBytes
      $0.foreignBytes = foreignBytes
    }
  }

  /// The calls since the last time this was asked.
  func takeCalls() -> [Call] {
    state.withLock { state in
      defer { state.calls = [] }
      return state.calls
    }
  }

  /// Syncs of files of which a sync had failed before: must stay 0.
  var syncsAfterFailure: Int { state.withLock { $0.inodes.values.reduce(0) { $0 + $1.syncsAfterFailure } } }

  var paths: [String] { state.withLock { $0.names.keys.sorted() } }

  var openDescriptors: Int { state.withLock { $0.descriptors.count } }

  func contents(_ path: String) -> [UInt8]? {
    state.withLock { state in state.names[path].flatMap { state.inodes[$0]?.bytes } }
  }

  /// Puts bytes in place as if they had been there for long.
  func replace(_ path: String, with bytes: [UInt8]) {
    state.withLock { state in
      let inode = state.names[path] ?? state.newInode(path)
      state.inodes[inode]?.bytes = bytes
      state.inodes[inode]?.durable = bytes
      state.durableNames[path] = inode
    }
  }

  func delete(_ path: String) {
    state.withLock { state in
      state.names[path] = nil
      state.durableNames[path] = nil
    }
  }

  /// The same files on another disk; nothing is open there.
  func copy() -> SimulatedDisk {
    let copy = SimulatedDisk()
    let files = state.withLock { state in state.names.mapValues { state.inodes[$0]?.bytes ?? [] } }
    let directories = state.withLock { $0.directories }
    copy.state.withLock { $0.directories = directories }
    for (path, bytes) in files { copy.replace(path, with: bytes) }
    return copy
  }

  /// The process is gone; everything it wrote stays.
  func kill() {
    state.withLock { $0.closeEverything() }
  }

  /// The power is gone: what was not synced is lost, kept, or kept in part, by chance.
  func losePower(using chance: inout SeededGenerator) {
    state.withLock { state in
      state.closeEverything()
      if chance.bool() { state.names = state.durableNames } else { state.durableNames = state.names }
      for number in state.inodes.keys.sorted() {
        state.inodes[number]?.losePower(using: &chance)
      }
    }
  }

  // MARK: Calls

  func open(_ path: String, _ access: FileAccess) throws(SystemFailure) -> Int32 {
    try act(.open, path) { (state) throws(SystemFailure) in
      let path = normalized(path)
      let inode: Int
      switch access {
      case .directory:
        guard state.directories.contains(path) else { throw .missing }
        inode = 0
      case .createNew:
        guard state.names[path] == nil else { throw .exists }
        inode = state.newInode(path)
      case .readWrite:
        inode = state.names[path] ?? state.newInode(path)
      case .readOnly:
        guard let existing = state.names[path] else { throw .missing }
        inode = existing
      }
      let descriptor = Int32(state.next)
      state.next += 1
      state.descriptors[descriptor] = (inode, path)
      return descriptor
    }
  }

  func close(_ descriptor: Int32) {
    state.withLock { state in
      guard let (inode, _) = state.descriptors.removeValue(forKey: descriptor) else { return }
      if state.inodes[inode]?.lockedBy == descriptor { state.inodes[inode]?.lockedBy = nil }
    }
  }

  func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
  ) throws(SystemFailure) -> Int {
    let path = try path(descriptor)
    let isUnreadable = state.withLock { state in state.readFault?(path, offset..<(offset + Int64(buffer.count))) }
    if isUnreadable == true { throw .inputOutput }
    return try onFile(.read, descriptor) { (inode, limit) throws(SystemFailure) in
      guard Int(offset) < inode.bytes.count else { return 0 }
      let count = min(buffer.count, limit ?? .max, inode.bytes.count - Int(offset))
      inode.bytes.withUnsafeBytes { bytes in
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[Int(offset)..<(Int(offset) + count)]))
      }
      return count
    }
  }

  func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, filling: UnsafeRawBufferPointer, at offset: Int64
  ) throws(SystemFailure) -> Int {
    let all = Array(bytes) + Array(filling)
    return try onFile(.write, descriptor) { (inode, limit) throws(SystemFailure) in
      let count = min(all.count, limit ?? .max)
      let end = Int(offset) + count
      if inode.bytes.count < end { inode.bytes += [UInt8](repeating: 0, count: end - inode.bytes.count) }
      inode.bytes.replaceSubrange(Int(offset)..<end, with: all[..<count])
      return count
    }
  }

  func synchronizeData(_ descriptor: Int32) throws(SystemFailure) {
    try synchronize(descriptor, .synchronizeData)
  }

  func synchronize(_ descriptor: Int32) throws(SystemFailure) {
    try synchronize(descriptor, .synchronize)
  }

  private func synchronize(_ descriptor: Int32, _ call: Call) throws(SystemFailure) {
    let path = try path(descriptor)
    do throws(SystemFailure) {
      try act(call, path) { (state) throws(SystemFailure) in
        guard let (number, _) = state.descriptors[descriptor], let inode = state.inodes[number] else {
          state.synchronizeDirectory(path)
          return
        }
        if inode.lostASync {
          state.inodes[number]?.syncsAfterFailure += 1
        } else {
          state.inodes[number]?.durable = inode.bytes
        }
      }
    } catch {
      if error != .interrupted {
        state.withLock { state in
          if let (number, _) = state.descriptors[descriptor] { state.inodes[number]?.lostASync = true }
        }
      }
      throw error
    }
  }

  func truncate(_ descriptor: Int32, to bytes: Int64) throws(SystemFailure) {
    try onFile(.truncate, descriptor) { (inode, _) throws(SystemFailure) in
      inode.bytes = Array(inode.bytes.prefix(Int(bytes)))
    }
  }

  func attributes(_ descriptor: Int32) throws(SystemFailure) -> FileAttributes {
    try state.withLock { (state) throws(SystemFailure) in
      guard let (number, _) = state.descriptors[descriptor], let inode = state.inodes[number] else { throw .missing }
      return FileAttributes(bytes: Int64(inode.bytes.count), modifiedAtMicroseconds: inode.modifiedAtMicroseconds)
    }
  }

  func setModificationTime(_ descriptor: Int32, microseconds: Int64) throws(SystemFailure) {
    state.withLock { state in
      if let (number, _) = state.descriptors[descriptor] { state.inodes[number]?.modifiedAtMicroseconds = microseconds }
    }
  }

  func lock(_ descriptor: Int32) throws(SystemFailure) {
    try state.withLock { (state) throws(SystemFailure) in
      guard let (number, _) = state.descriptors[descriptor] else { throw .missing }
      guard state.inodes[number]?.lockedBy == nil else { throw .wouldBlock }
      state.inodes[number]?.lockedBy = descriptor
    }
  }

  func makeDirectory(_ path: String) throws(SystemFailure) {
    try act(.makeDirectory, path) { (state) throws(SystemFailure) in
      guard state.directories.insert(path).inserted else { throw .exists }
    }
  }

  func list(_ path: String) throws(SystemFailure) -> [String] {
    try act(.list, path) { (state) throws(SystemFailure) in
      state.names.keys.filter { parent($0) == path }.map { String($0.dropFirst(path.count + 1)) }
    }
  }

  func rename(_ path: String, to newPath: String) throws(SystemFailure) {
    try act(.rename, path) { (state) throws(SystemFailure) in
      guard let inode = state.names.removeValue(forKey: path) else { throw .missing }
      state.names[newPath] = inode
    }
  }

  func remove(_ path: String) throws(SystemFailure) {
    try act(.remove, path) { (state) throws(SystemFailure) in
      guard state.names.removeValue(forKey: path) != nil else { throw .missing }
    }
  }

  func space(at path: String) throws(SystemFailure) -> DiskSpace {
    try act(.space, path) { (state) throws(SystemFailure) in
      let used = state.names.values.reduce(Int64(0)) { $0 + Int64(state.inodes[$1]?.bytes.count ?? 0) }
      return DiskSpace(
        availableBytes: max(0, state.totalBytes - state.foreignBytes - used), totalBytes: state.totalBytes)
    }
  }

  // MARK: Faults

  private func act<Result>(
    _ call: Call, _ path: String, _ work: (inout State) throws(SystemFailure) -> Result
  ) throws(SystemFailure) -> Result {
    let fault = state.withLock { state in
      state.calls.append(call)
      return state.fault
    }
    if case .fail(let failure) = fault?(call, path) { throw failure }
    return try state.withLock(work)
  }

  private func onFile<Result>(
    _ call: Call, _ descriptor: Int32, _ work: (inout Inode, _ limit: Int?) throws(SystemFailure) -> Result
  ) throws(SystemFailure) -> Result {
    let path = try path(descriptor)
    let fault = state.withLock { state in
      state.calls.append(call)
      return state.fault
    }
    var limit: Int?
    var failure: SystemFailure?
    switch fault?(call, path) {
    case .fail(let code): throw code
    case .short(let count): limit = count
    case .failAfter(let count, let code): (limit, failure) = (count, code)
    case nil: break
    }
    let result = try state.withLock { (state) throws(SystemFailure) in
      guard let (number, _) = state.descriptors[descriptor], var inode = state.inodes[number] else { throw .missing }
      state.inodes[number] = nil
      defer { state.inodes[number] = inode }
      return try work(&inode, limit)
    }
    if let failure { throw failure }
    return result
  }

  private func path(_ descriptor: Int32) throws(SystemFailure) -> String {
    guard let path = state.withLock({ $0.descriptors[descriptor]?.path }) else { throw .missing }
    return path
  }
}

/// A value behind a lock, whose closures may touch the caller's buffers (which `Mutex` forbids).
///
/// `@unchecked Sendable`: `value` is only touched while `lock` is held.
private final class Guarded<Value>: @unchecked Sendable {
  private var value: Value
  private let lock = NSLock()

  init(_ value: Value) { self.value = value }

  func withLock<Result, Failure: Error>(
    _ work: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try work(&value)
  }
}

private func parent(_ path: String) -> String {
  path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
}

private func normalized(_ path: String) -> String {
  path.hasSuffix("/..") ? "/" : path
}

extension SimulatedDisk.State {
  fileprivate mutating func newInode(_ path: String) -> Int {
    let number = next
    next += 1
    inodes[number] = SimulatedDisk.Inode()
    names[path] = number
    return number
  }

  fileprivate mutating func synchronizeDirectory(_ path: String) {
    for name in Set(names.keys).union(durableNames.keys) where parent(name) == path {
      durableNames[name] = names[name]
    }
  }

  fileprivate mutating func closeEverything() {
    descriptors = [:]
    for number in inodes.keys { inodes[number]?.lockedBy = nil }
  }
}
