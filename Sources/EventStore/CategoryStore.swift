import Postgres

/// The categories of interactive notifications that apps have, and had.
///
/// A version of a category is its list of buttons. An import brings all categories of an app, as `registerDevice` answers with
/// all: so those that it does not bring have ended.
public enum CategoryStore {
  /// Makes an app's categories those that are given, from now on.
  ///
  /// A category gets a new version only where something of it differs. Imports wait for each other.
  ///
  /// - Parameters:
  ///   - categories: all of them, each id once.
  ///   - nowMicroseconds: when, in microseconds since 1970. A version never begins before an older one of its category, so that
  ///     a clock that was set back makes no gap and no overlap.
  /// - Returns: what became of each, the given ones in their order, then those that have ended by their id.
  /// - Throws: `.database`; nothing is changed then.
  @discardableResult
  public static func replace(
    with categories: [CategoryDefinition], ofApp appID: Int32, nowMicroseconds: Int64,
    _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> [CategoryChange] {
    try connection.inTransaction { (connection) throws(EventStoreError) in
      try connection.run(AdvisoryLock.categories)
      let known = try versions(ofApp: appID, isNewestOnly: true, &connection)
      var previous: [CategoryKey: CategoryVersion] = [:]
      for version in known { previous[CategoryKey(version.definition.id)] = version }
      var changes: [CategoryChange] = []
      var ended: [(id: String, atMicroseconds: Int64)] = []
      var begun: [(definition: CategoryDefinition, fromMicroseconds: Int64)] = []
      for category in categories {
        let before = previous.removeValue(forKey: CategoryKey(category.id))
        guard let before else {
          begun.append((category, nowMicroseconds))
          changes.append(CategoryChange(category: category, kind: .new))
          continue
        }
        if let end = before.toMicroseconds {
          begun.append((category, max(nowMicroseconds, end)))
          changes.append(CategoryChange(category: category, kind: .back))
        } else if before.definition.isSame(as: category) {
          changes.append(CategoryChange(category: category, kind: .unchanged))
        } else {
          let moment = max(nowMicroseconds, before.fromMicroseconds + 1)
          ended.append((category.id, moment))
          begun.append((category, moment))
          changes.append(CategoryChange(category: category, kind: .changed(from: before.definition)))
        }
      }
      for version in known where version.toMicroseconds == nil && previous[CategoryKey(version.definition.id)] != nil {
        ended.append((version.definition.id, max(nowMicroseconds, version.fromMicroseconds + 1)))
        changes.append(CategoryChange(category: version.definition, kind: .ended))
      }
      try end(ended, ofApp: appID, &connection)
      try begin(begun, ofApp: appID, &connection)
      return changes
    }
  }

  /// The categories of an app, by id; of each the versions, the newest first.
  ///
  /// - Parameter withHistory: false: only the versions of now.
  /// - Throws: `.database`.
  public static func list(
    ofApp appID: Int32, withHistory: Bool = false, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> [CategoryVersion] {
    try connection.inTransaction(readOnly: true) { (connection) throws(EventStoreError) in
      let versions = try versions(ofApp: appID, isNewestOnly: false, &connection)
      return withHistory ? versions : versions.filter { $0.toMicroseconds == nil }
    }
  }

  // MARK: Statements

  private static func end(
    _ categories: [(id: String, atMicroseconds: Int64)], ofApp appID: Int32, _ connection: inout PostgresConnection
  ) throws(EventStoreError) {
    guard !categories.isEmpty else { return }
    try connection.run(
      """
      UPDATE pagefall.notification_categories c SET valid_to = timestamptz 'epoch' + v.moment * interval '1 microsecond'
      FROM unnest($2::text[], $3::int8[]) AS v(category_id, moment)
      WHERE c.app_id = $1 AND c.category_id = v.category_id AND c.valid_to IS NULL
      """, [.int32(appID), .textArray(categories.map(\.id)), .int64Array(categories.map(\.atMicroseconds))])
  }

  private static func begin(
    _ categories: [(definition: CategoryDefinition, fromMicroseconds: Int64)], ofApp appID: Int32,
    _ connection: inout PostgresConnection
  ) throws(EventStoreError) {
    guard !categories.isEmpty else { return }
    try connection.run(
      """
      INSERT INTO pagefall.notification_categories (app_id, category_id, valid_from)
      SELECT $1, v.category_id, timestamptz 'epoch' + v.moment * interval '1 microsecond'
      FROM unnest($2::text[], $3::int8[]) AS v(category_id, moment)
      """,
      [
        .int32(appID), .textArray(categories.map(\.definition.id)),
        .int64Array(categories.map(\.fromMicroseconds)),
      ])
    let buttons = categories.flatMap { category in
      category.definition.buttons.enumerated().map { (category: category, place: $0.offset, button: $0.element) }
    }
    guard !buttons.isEmpty else { return }
    try connection.run(
      """
      INSERT INTO pagefall.notification_buttons
        (app_id, category_id, valid_from, place, button_id, label, is_destructive, opens_app)
      SELECT $1, v.category_id, timestamptz 'epoch' + v.moment * interval '1 microsecond', v.place, v.button_id, v.label,
        v.flags & 1 = 1, v.flags & 2 = 2
      FROM unnest($2::text[], $3::int8[], $4::int2[], $5::text[], $6::text[], $7::int2[])
        AS v(category_id, moment, place, button_id, label, flags)
      """,
      [
        .int32(appID), .textArray(buttons.map(\.category.definition.id)),
        .int64Array(buttons.map(\.category.fromMicroseconds)),
        .int16Array(buttons.map { Int16(truncatingIfNeeded: $0.place) }),
        .textArray(buttons.map(\.button.id)), .textArray(buttons.map(\.button.label)),
        .int16Array(buttons.map { ($0.button.isDestructive ? 1 : 0) + ($0.button.opensApp ? 2 : 0) }),
      ])
  }

  private static func versions(
    ofApp appID: Int32, isNewestOnly: Bool, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> [CategoryVersion] {
    let result = try connection.run(
      """
      SELECT c.category_id, c.valid_from, c.valid_to, b.button_id, b.label, b.is_destructive, b.opens_app
      FROM (
        SELECT \(isNewestOnly ? "DISTINCT ON (category_id)" : "") app_id, category_id, valid_from, valid_to
        FROM pagefall.notification_categories WHERE app_id = $1
        ORDER BY category_id, valid_from DESC
      ) c LEFT JOIN pagefall.notification_buttons b USING (app_id, category_id, valid_from)
      ORDER BY c.category_id COLLATE "C", c.valid_from DESC, b.place
      """, [.int32(appID)])
    return try decoding { () throws(PostgresError) -> [CategoryVersion] in
      var versions: [CategoryVersion] = []
      for row in 0..<result.rowCount {
        let id: String = try result[row, 0]
        let from: PostgresTimestamp = try result[row, 1]
        let to: PostgresTimestamp? = try result[row, 2]
        if versions.last.map({
          CategoryKey($0.definition.id) != CategoryKey(id) || $0.fromMicroseconds != from.microsecondsSince1970
        }) ?? true {
          versions.append(
            CategoryVersion(
              definition: CategoryDefinition(id: id, buttons: []), fromMicroseconds: from.microsecondsSince1970,
              toMicroseconds: to?.microsecondsSince1970))
        }
        guard let button: String = try result[row, 3] else { continue }
        versions[versions.count - 1].definition.buttons.append(
          ButtonDefinition(
            id: button, label: try result[row, 4], isDestructive: try result[row, 5], opensApp: try result[row, 6]))
      }
      return versions
    }
  }
}
