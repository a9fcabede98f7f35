/// What a category is: its id and its buttons in their order.
public struct CategoryDefinition: Sendable, Equatable {
  /// As phones know it; at most 1,024 bytes without U+0000.
  public var id: String
  /// Its buttons.
  public var buttons: [ButtonDefinition]

  /// Makes a category.
  public init(id: String, buttons: [ButtonDefinition]) {
    self.id = id
    self.buttons = buttons
  }

  /// Whether nothing that people or programs see of it differs. Texts are compared by their bytes, as the database does.
  func isSame(as other: CategoryDefinition) -> Bool {
    buttons.count == other.buttons.count && zip(buttons, other.buttons).allSatisfy { $0.isSame(as: $1) }
  }
}

/// A button of a category.
public struct ButtonDefinition: Sendable, Equatable {
  /// Its id within the category.
  public var id: String
  /// What it says.
  public var label: String
  /// Whether the system shows it as destructive.
  public var isDestructive: Bool
  /// Whether it opens the app.
  public var opensApp: Bool

  /// Makes a button.
  public init(id: String, label: String, isDestructive: Bool, opensApp: Bool) {
    self.id = id
    self.label = label
    self.isDestructive = isDestructive
    self.opensApp = opensApp
  }

  fileprivate func isSame(as other: ButtonDefinition) -> Bool {
    id.utf8.elementsEqual(other.id.utf8) && label.utf8.elementsEqual(other.label.utf8)
      && isDestructive == other.isDestructive && opensApp == other.opensApp
  }
}

/// A category as it was for some time.
public struct CategoryVersion: Sendable, Equatable {
  /// What it was.
  public var definition: CategoryDefinition
  /// When the import came that first had it so, in microseconds since 1970.
  public var fromMicroseconds: Int64
  /// When the import came that had it no more; nil: it is so now.
  public var toMicroseconds: Int64?
}

/// What an import did to a category.
public struct CategoryChange: Sendable, Equatable {
  /// The category as it is now; of one that has ended, as it was.
  public var category: CategoryDefinition
  /// What was done.
  public var kind: Kind

  /// What an import does.
  public enum Kind: Sendable, Equatable {
    /// It was never there.
    case new
    /// It had ended, and is there again.
    case back
    /// Something of it differs.
    case changed(from: CategoryDefinition)
    /// It is as it was; nothing was written.
    case unchanged
    /// The import does not have it.
    case ended
  }
}

/// An id that is told apart by its bytes, as in the database.
struct CategoryKey: Hashable {
  private let bytes: [UInt8]

  init(_ id: String) { bytes = Array(id.utf8) }
}
