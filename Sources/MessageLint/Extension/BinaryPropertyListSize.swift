/// How large a binary property list becomes when it is read.
///
/// Containers refer to objects by number, and several may refer to the same: in a file of 700 bytes twelve arrays, each with ten
/// times the next, are 10¹² objects once Foundation has read them. So this counts before it reads.
struct BinaryPropertyListSize {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let objectCount: Int
  private let topObject: Int
  private let tableOffset: Int
  /// By object: how many it stands for, itself among them; 0 while it is being counted.
  private var sizes: [Int: Int] = [:]

  /// More than any `Info.plist` holds.
  private static let mostObjects = 100_000
  private static let deepestNesting = 64
  private static let magic = Array("bplist".utf8)
  private static let trailerBytes = 32

  /// Whether bytes can be read without harm: those that are no binary property list, and those of one that stays small.
  static func isModest(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: magic) else { return true }
    guard var size = Self(bytes) else { return false }
    return size.count(size.topObject, depth: 0) != nil
  }

  private init?(_ bytes: [UInt8]) {
    guard bytes.count > Self.magic.count + Self.trailerBytes else { return nil }
    let trailer = bytes.count - Self.trailerBytes
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard let objectCount = Self.number(bytes, at: trailer + 8, size: 8),
      let topObject = Self.number(bytes, at: trailer + 16, size: 8),
      let tableOffset = Self.number(bytes, at: trailer + 24, size: 8), (1...8).contains(offsetSize),
      (1...8).contains(referenceSize), topObject < objectCount, objectCount <= bytes.count, tableOffset < bytes.count
    else { return nil }
    self.objectCount = objectCount
    self.topObject = topObject
    self.tableOffset = tableOffset
  }

  /// How many objects one stands for; nil for too many, for a cycle, and for what no such file holds.
  private mutating func count(_ object: Int, depth: Int) -> Int? {
    if let known = sizes[object] { return known == 0 ? nil : known }
    guard depth < Self.deepestNesting, object < objectCount,
      let place = Self.number(bytes, at: tableOffset + object * offsetSize, size: offsetSize), place < bytes.count
    else { return nil }
    let references: Int
    switch bytes[place] >> 4 {
    case 0xA, 0xB, 0xC: references = 1
    case 0xD: references = 2
    case _: return 1
    }
    guard let (elements, first) = elementCount(at: place), elements <= bytes.count / referenceSize else { return nil }
    sizes[object] = 0
    var total = 1
    for number in 0..<(elements * references) {
      guard let child = Self.number(bytes, at: first + number * referenceSize, size: referenceSize),
        let size = count(child, depth: depth + 1), total + size <= Self.mostObjects
      else { return nil }
      total += size
    }
    sizes[object] = total
    return total
  }

  /// How many elements a container has, and where its references begin.
  private func elementCount(at place: Int) -> (count: Int, first: Int)? {
    let short = Int(bytes[place] & 0xF)
    guard short == 0xF else { return (short, place + 1) }
    guard place + 1 < bytes.count, bytes[place + 1] >> 4 == 1, bytes[place + 1] & 0xF <= 3 else { return nil }
    let size = 1 << Int(bytes[place + 1] & 0xF)
    return Self.number(bytes, at: place + 2, size: size).map { ($0, place + 2 + size) }
  }

  /// A big-endian number; nil where it does not lie within the bytes, or is beyond 2⁴⁰.
  private static func number(_ bytes: [UInt8], at place: Int, size: Int) -> Int? {
    guard place >= 0, place <= bytes.count - size else { return nil }
    let value = bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return value < 1 << 40 ? Int(value) : nil
  }
}
