/// Finds a value by a name's bytes without making a `String` of them. For a dozen names: they are compared one by one.
struct NameTable<Value: Sendable>: Sendable {
  private let names: [[UInt8]]
  private let values: [Value]

  init(_ entries: [(name: String, value: Value)]) {
    names = entries.map { Array($0.name.utf8) }
    values = entries.map(\.value)
  }

  /// The value of this name, or nil.
  func find(_ name: UnsafeRawBufferPointer) -> Value? {
    for index in names.indices where names[index].count == name.count {
      let isSame = names[index].withUnsafeBytes { $0.isSame(as: name) }
      if isSame { return values[index] }
    }
    return nil
  }
}
