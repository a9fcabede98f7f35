import FunnelDocument
import Postgres

/// What the buttons of categories say: of each button the newest version that has it (buttons §2).
struct CategoryDirectory {
  /// Numbers of the categories that were imported at some time.
  private var known: Set<Int> = []
  /// The buttons that a category has now, by its number.
  private var current: [Int: [ButtonLine]] = [:]
  /// Pressed buttons that their category had before, by their number.
  private var former: [Int: ButtonLine] = [:]

  /// Reads what is known of the categories that were answered.
  init(_ keys: ResponseKeys, _ connection: inout PostgresConnection) throws(PostgresError) {
    let named = keys.categories.enumerated().compactMap { place, category in
      category.id.map { (place: place, appID: category.appID, id: $0.text) }
    }
    guard !named.isEmpty else { return }
    let result = try connection.execute(
      """
      SELECT v.place, c.valid_to IS NULL, b.button_id, b.label, b.is_destructive, b.opens_app
      FROM unnest($1::int4[], $2::int4[], $3::text[]) AS v(place, app_id, category_id)
      JOIN pagefall.notification_categories c USING (app_id, category_id)
      LEFT JOIN pagefall.notification_buttons b USING (app_id, category_id, valid_from)
      ORDER BY v.place, c.valid_from DESC, b.place
      """,
      [
        .int32Array(named.map { Int32($0.place) }), .int32Array(named.map(\.appID)), .textArray(named.map(\.id)),
      ])
    for row in 0..<result.rowCount {
      let number: Int32 = try result[row, 0]
      let category = Int(number)
      known.insert(category)
      guard let id: String = try result[row, 2] else { continue }
      let isCurrent: Bool = try result[row, 1]
      let line = ButtonLine(
        buttonID: id, label: try result[row, 3], isDestructive: try result[row, 4], opensApp: try result[row, 5],
        isCurrent: isCurrent)
      if isCurrent {
        current[category, default: []].append(line)
      } else if let button = keys.find(ResponseKeys.Button(category: category, id: ByteText(id))), former[button] == nil
      {
        former[button] = line
      }
    }
  }

  /// The lines of a tally, in no order; their buttons are in theirs.
  func lines(of tally: ResponseTally, _ keys: ResponseKeys, appName: (Int32) -> String) -> [CategoryLine] {
    var pressed: [Int: [Int]] = [:]
    for button in tally.buttons.keys { pressed[keys.buttons[button].category, default: []].append(button) }
    return tally.categories.map { category, counts in
      let key = keys.categories[category]
      var remaining = Set(pressed[category] ?? [])
      var buttons = current[category] ?? []
      for place in buttons.indices {
        let id = ByteText(buttons[place].buttonID)
        guard let button = keys.find(ResponseKeys.Button(category: category, id: id)) else { continue }
        buttons[place].responses = tally.buttons[button] ?? 0
        remaining.remove(button)
      }
      let others = remaining.map { button in
        var line = former[button] ?? ButtonLine(buttonID: keys.buttons[button].id.text)
        line.responses = tally.buttons[button] ?? 0
        return line
      }
      return CategoryLine(
        app: appName(key.appID), categoryID: key.id?.text, isKnown: known.contains(category), counts: counts,
        buttons: buttons + others.sorted(by: ButtonLine.precedes))
    }
  }
}
