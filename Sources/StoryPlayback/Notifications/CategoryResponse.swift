import Foundation

/// The categories of interactive notifications in an answer to `registerDevice`, as a phone takes them (playback §3).
public struct CategoryResponse: Equatable, Sendable {
  /// The categories, in the order of the answer.
  public var categories: [NotificationCategory]
  /// What a phone passes over, and why, in the order of the answer.
  public var skipped: [SkippedCategoryPart]

  /// The most categories of an answer.
  public static let mostCategories = 1_000
  /// The most buttons of a category. iOS shows four at most.
  public static let mostButtons = 100
  /// The longest id and the longest label, in bytes: what an event can carry (contract §1).
  public static let mostTextBytes = 1_024

  /// Makes an answer.
  public init(categories: [NotificationCategory], skipped: [SkippedCategoryPart] = []) {
    self.categories = categories
    self.skipped = skipped
  }

  /// Reads a file's bytes: the answer of `registerDevice`, with the categories under `response.iosCategories`.
  ///
  /// - Throws: `CategoryResponseError` where the bytes are no such answer, or one beyond all measure. Single categories and
  ///   buttons that a phone passes over are no error: they are in `skipped`.
  public init(bytes: some Collection<UInt8>) throws(CategoryResponseError) {
    var reading = CategoryReading()
    try reading.read(try Self.list(in: Data(bytes)))
    self.init(categories: reading.categories, skipped: reading.skipped)
  }

  private static func list(in data: Data) throws(CategoryResponseError) -> [CategoryJSON] {
    let root: CategoryJSON
    do {
      root = try JSONDecoder().decode(CategoryJSON.self, from: data)
    } catch DecodingError.dataCorrupted(let context) {
      let cause = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey] as? String
      throw .notJSON(detail: cause ?? "expected a registerDevice response")
    } catch {
      throw .notJSON(detail: "\(error)")
    }
    guard case .object(let answer) = root else { throw .notAnObject }
    guard case .object(let response)? = answer["response"], let list = response["iosCategories"] else {
      throw .noCategories
    }
    guard case .array(let elements) = list else { throw .noCategories }
    guard elements.count <= mostCategories else { throw .tooManyCategories(elements.count) }
    return elements
  }
}

/// A category or a button that a phone passes over.
public struct SkippedCategoryPart: Equatable, Sendable {
  /// Its place in the answer, such as `iosCategories[0].buttons[1]`.
  public var place: String
  /// The category that it is in, where that is used.
  public var categoryID: String?
  /// Why it is passed over.
  public var reason: CategorySkipReason

  /// Makes a record of it.
  public init(place: String, categoryID: String? = nil, reason: CategorySkipReason) {
    self.place = place
    self.categoryID = categoryID
    self.reason = reason
  }
}

/// Why a part of an answer is passed over (playback §3).
public enum CategorySkipReason: Equatable, Sendable, CustomStringConvertible {
  /// The category is not an object.
  case categoryNotAnObject
  /// `categoryId` is absent or null.
  case categoryWithoutID
  /// `categoryId` is not a number; `true` and `false` are none.
  case categoryIDNotANumber
  /// `categoryId` has more digits than can be kept exactly (38).
  case categoryIDTooLarge
  /// A category before it has the same id.
  case repeatedCategory
  /// `buttons` is not an array: the category has none.
  case buttonsNotAnArray
  /// The button is not an object; the list ends there.
  case buttonNotAnObject(others: Int)
  /// `label` is absent, empty or no text; the list ends there.
  case unusableLabel(others: Int)
  /// `id` is neither a text nor a number that can be kept exactly (38 digits).
  case buttonIDUnusable
  /// A button before it in the category has the same id: responses could not be told apart.
  case repeatedButton
  /// The id or the label is longer than `CategoryResponse.mostTextBytes`.
  case textTooLong
  /// The id or the label holds U+0000, which no event may carry.
  case unstorableText

  /// What is wrong and what follows, without a full stop.
  public var description: String {
    switch self {
    case .categoryNotAnObject: "is not an object: the category is skipped"
    case .categoryWithoutID: "has no categoryId: the category is skipped"
    case .categoryIDNotANumber: "has a categoryId that is not a number: the category is skipped"
    case .categoryIDTooLarge: "has a categoryId of more than 38 digits: the category is skipped"
    case .repeatedCategory: "has the id of a category before it: it is skipped"
    case .buttonsNotAnArray: "has buttons that are not an array: the category has none"
    case .buttonNotAnObject(let others): "is not an object: the list of buttons ends here\(Self.lost(others))"
    case .unusableLabel(let others): "has no usable label: the list of buttons ends here\(Self.lost(others))"
    case .buttonIDUnusable:
      "has an id that is neither a text nor a number of at most 38 digits: the button is skipped"
    case .repeatedButton: "has the id of a button before it: it is skipped"
    case .textTooLong:
      "has an id or a label of more than \(CategoryResponse.mostTextBytes) bytes: the button is skipped"
    case .unstorableText: "holds U+0000 in its id or label: the button is skipped"
    }
  }

  private static func lost(_ others: Int) -> String {
    others == 0 ? "" : ", and \(others) more after it \(others == 1 ? "is" : "are") lost"
  }
}

/// Why bytes are no answer of `registerDevice`.
public enum CategoryResponseError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Not JSON; the detail is Foundation's, where it has one.
  case notJSON(detail: String)
  /// JSON, but not an object.
  case notAnObject
  /// Without an array under `response.iosCategories`. Taking such an answer for an empty list would end every category.
  case noCategories
  /// More categories than `CategoryResponse.mostCategories`.
  case tooManyCategories(Int)
  /// A category with more buttons than `CategoryResponse.mostButtons`.
  case tooManyButtons(place: String, count: Int)

  /// One line that says what was found and what is expected.
  public var description: String {
    switch self {
    case .notJSON(let detail): "not JSON: \(detail.replacingOccurrences(of: "\n", with: " "))"
    case .notAnObject: "not a JSON object: expected a registerDevice response"
    case .noCategories:
      "no array response.iosCategories: expected a registerDevice response, with an empty array where there are none"
    case .tooManyCategories(let count):
      "\(count) categories, and \(CategoryResponse.mostCategories) is the most: leave out those that no message uses"
    case .tooManyButtons(let place, let count):
      "\(place) has \(count) buttons, and \(CategoryResponse.mostButtons) is the most; iOS shows four"
    }
  }
}
