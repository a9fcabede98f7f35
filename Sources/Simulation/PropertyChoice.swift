import StoryEvents
import StoryPlayback

/// A property that devices have (contract §1, `properties`), and the values that they draw.
public struct PropertyChoice: Equatable, Sendable {
  /// Its name.
  public var name: String
  /// Its values.
  public var values: [Weighted<String>]

  /// Makes a property.
  public init(name: String, values: [Weighted<String>]) {
    self.name = name
    self.values = values
  }

  /// A sentence on what a collector would reject, or on values of which none can be drawn; nil where there is nothing.
  var fault: String? {
    func isText(_ text: String, _ mostBytes: Int) -> Bool { text.utf8.count <= mostBytes && !text.utf8.contains(0) }
    guard !name.isEmpty, isText(name, ContractLimits.propertyNameBytes) else {
      return "a property's name has 1 to \(ContractLimits.propertyNameBytes) bytes without U+0000"
    }
    guard values.allSatisfy({ isText($0.value, ContractLimits.propertyValueBytes) }) else {
      return "property \(name): a value has at most \(ContractLimits.propertyValueBytes) bytes without U+0000"
    }
    guard values.allSatisfy({ $0.weight.isFinite }), values.contains(where: { $0.weight > 0 }) else {
      return "property \(name): one of the values needs a weight above 0"
    }
    return nil
  }
}
