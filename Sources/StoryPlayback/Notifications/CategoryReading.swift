import Foundation

/// Reads the list of categories, one after another (playback §3).
struct CategoryReading {
  private(set) var categories: [NotificationCategory] = []
  private(set) var skipped: [SkippedCategoryPart] = []
  private var categoryIDs: Set<[UInt8]> = []

  /// Reads the elements of `iosCategories`; once.
  mutating func read(_ elements: [CategoryJSON]) throws(CategoryResponseError) {
    for (index, element) in elements.enumerated() {
      let place = "iosCategories[\(index)]"
      guard case .object(let category) = element else {
        skip(place, .categoryNotAnObject)
        continue
      }
      guard let id = readID(of: category, at: place) else { continue }
      guard categoryIDs.insert(Array(id.utf8)).inserted else {
        skip(place, .repeatedCategory)
        continue
      }
      categories.append(NotificationCategory(id: id, buttons: try readButtons(of: category, id, at: place)))
    }
  }

  private mutating func readID(of category: [String: CategoryJSON], at place: String) -> String? {
    switch category["categoryId"] {
    case nil, .null: skip(place, .categoryWithoutID)
    case .bool, .string, .array, .object: skip(place, .categoryIDNotANumber)
    case .number(let number):
      if let number, let digits = Self.decimal(number) { return digits }
      skip(place, .categoryIDTooLarge)
    }
    return nil
  }

  private mutating func readButtons(
    of category: [String: CategoryJSON], _ categoryID: String, at place: String
  ) throws(CategoryResponseError) -> [NotificationButton] {
    let elements: [CategoryJSON]
    switch category["buttons"] {
    case nil, .null: return []
    case .bool, .number, .string, .object:
      skip(place, .buttonsNotAnArray, in: categoryID)
      return []
    case .array(let array): elements = array
    }
    guard elements.count <= CategoryResponse.mostButtons else {
      throw .tooManyButtons(place: place, count: elements.count)
    }
    var buttons: [NotificationButton] = []
    var ids: Set<[UInt8]> = []
    for (index, element) in elements.enumerated() {
      let there = "\(place).buttons[\(index)]"
      guard case .object(let object) = element else {
        skip(there, .buttonNotAnObject(others: elements.count - index - 1), in: categoryID)
        break
      }
      guard case .string(let label)? = object["label"], !label.isEmpty else {
        skip(there, .unusableLabel(others: elements.count - index - 1), in: categoryID)
        break
      }
      guard let id = Self.buttonID(object["id"], index: index) else {
        skip(there, .buttonIDUnusable, in: categoryID)
        continue
      }
      if let reason = Self.fault(of: id) ?? Self.fault(of: label) {
        skip(there, reason, in: categoryID)
      } else if !ids.insert(Array(id.utf8)).inserted {
        skip(there, .repeatedButton, in: categoryID)
      } else {
        buttons.append(
          NotificationButton(
            id: id, label: label, isDestructive: object["type"]?.isTrue ?? false,
            opensApp: object["startApplication"]?.isOne ?? false))
      }
    }
    return buttons
  }

  private mutating func skip(_ place: String, _ reason: CategorySkipReason, in categoryID: String? = nil) {
    skipped.append(SkippedCategoryPart(place: place, categoryID: categoryID, reason: reason))
  }

  /// A number becomes its digits; a missing id the button's 1-based place.
  private static func buttonID(_ value: CategoryJSON?, index: Int) -> String? {
    switch value {
    case nil, .null: String(index + 1)
    case .number(let number): number.flatMap(decimal)
    case .string(let text): text
    case .bool, .array, .object: nil
    }
  }

  /// As people write it, without an exponent: `65` for 65.0 and for 6.5e1. Nil where digits may have been lost.
  private static func decimal(_ number: Decimal) -> String? {
    // `Decimal` keeps 38 digits of any number, and rounds beyond them.
    let most = Decimal(sign: .plus, exponent: 38, significand: 1)
    guard !number.isNaN, number < most, number > -most, number.exponent >= -38 else { return nil }
    return number.description
  }

  private static func fault(of text: String) -> CategorySkipReason? {
    if text.utf8.count > CategoryResponse.mostTextBytes { return .textTooLong }
    return text.unicodeScalars.contains("\u{0}") ? .unstorableText : nil
  }
}
