import Foundation

/// What the `Info.plist` of a notification content extension says to iOS (Apple, "Customizing the appearance of
/// notifications").
package struct ContentExtension: Equatable, Sendable {
  /// `UNNotificationExtensionCategory`, a text or an array of them; empty where there is none.
  package var categories: [String]
  /// `UNNotificationExtensionUserInteractionEnabled`; iOS takes its absence for false.
  package var takesTouches: Bool
  /// `UNNotificationExtensionDefaultContentHidden`; iOS takes its absence for false.
  package var hidesDefaultContent: Bool
  /// `UNNotificationExtensionInitialContentSizeRatio`, height by width; nil where it is absent or no number.
  package var sizeRatio: Double?
  /// `NSExtensionPointIdentifier`; nil where it is absent.
  package var pointIdentifier: String?
  /// Where the keys stand: `/NSExtension/NSExtensionAttributes`, or nearer to the root; nil where there are none.
  package var attributesPointer: String?

  /// Why a file is no property list.
  package enum ReadingError: Error, Equatable, Sendable {
    /// Neither an XML nor a binary property list, or one whose root is no dictionary, or one that would not fit into memory.
    case notAPropertyList
  }

  /// Reads a property list, XML or binary: a whole `Info.plist`, its `NSExtension`, or the attributes alone.
  package init(propertyList: Data) throws(ReadingError) {
    guard BinaryPropertyListSize.isModest(Array(propertyList)) else { throw .notAPropertyList }
    let value = try? PropertyListSerialization.propertyList(from: propertyList, options: [], format: nil)
    guard let root = value as? [String: Any] else { throw .notAPropertyList }
    var place = JSONPointer()
    var level = root
    for key in ["NSExtension", "NSExtensionAttributes"] {
      guard let inner = level[key] as? [String: Any] else { continue }
      level = inner
      place = place.appending(key)
    }
    let point = (root["NSExtension"] as? [String: Any] ?? root)["NSExtensionPointIdentifier"]
    let isFound = level.keys.contains { $0.hasPrefix("UNNotificationExtension") }
    attributesPointer = isFound || place.text.hasSuffix("NSExtensionAttributes") ? place.text : nil
    let category = level[Self.categoryKey]
    categories = (category as? String).map { [$0] } ?? (category as? [Any])?.compactMap { $0 as? String } ?? []
    takesTouches = Self.flag(level[Self.touchesKey])
    hidesDefaultContent = Self.flag(level[Self.hiddenKey])
    let ratio = (level[Self.ratioKey] as? NSNumber)?.doubleValue
    sizeRatio = ratio.flatMap { $0.isFinite ? $0 : nil }
    pointIdentifier = point as? String
  }

  static let categoryKey = "UNNotificationExtensionCategory"
  static let touchesKey = "UNNotificationExtensionUserInteractionEnabled"
  static let hiddenKey = "UNNotificationExtensionDefaultContentHidden"
  static let ratioKey = "UNNotificationExtensionInitialContentSizeRatio"

  private static func flag(_ value: Any?) -> Bool { (value as? NSNumber)?.boolValue ?? false }
}
