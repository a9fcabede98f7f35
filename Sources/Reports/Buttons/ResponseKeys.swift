/// The categories and buttons that responses name, each with a number. Senders make up names: their number is bounded.
struct ResponseKeys {
  /// The most categories of a report, of all apps together.
  static let mostCategories = 10_000
  /// The most buttons of a report, of all categories together.
  static let mostButtons = 20_000

  /// A category of an app; nil for responses that name none.
  struct Category: Hashable {
    let appID: Int32
    let id: ByteText?
  }

  /// A button of the category with a number.
  struct Button: Hashable {
    let category: Int
    let id: ByteText
  }

  private(set) var categories: [Category] = []
  private(set) var buttons: [Button] = []
  private var categoryPlaces: [Category: Int] = [:]
  private var buttonPlaces: [Button: Int] = [:]

  /// The number of a category; given where it has none.
  mutating func place(of category: Category) throws(ReportError) -> Int {
    if let place = categoryPlaces[category] { return place }
    guard categories.count < Self.mostCategories else {
      throw .usage("there are more than \(Self.mostCategories) categories here; \(Self.hint)")
    }
    categoryPlaces[category] = categories.count
    categories.append(category)
    return categories.count - 1
  }

  /// The number of a button; given where it has none.
  mutating func place(of button: Button) throws(ReportError) -> Int {
    if let place = buttonPlaces[button] { return place }
    guard buttons.count < Self.mostButtons else {
      throw .usage("there are more than \(Self.mostButtons) different buttons here; \(Self.hint)")
    }
    buttonPlaces[button] = buttons.count
    buttons.append(button)
    return buttons.count - 1
  }

  /// The number of a button that was pressed; nil for another.
  func find(_ button: Button) -> Int? { buttonPlaces[button] }

  private static let hint = "narrow the report with --app, --where, --from and --to"
}
