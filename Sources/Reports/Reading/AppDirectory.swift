import Postgres

/// The apps that the database knows.
package struct AppDirectory {
  /// Names by number.
  package let names: [Int32: String]
  /// The newest arrival in the database, in microseconds since 1970.
  package let dataThroughMicroseconds: Int64?

  /// Reads them.
  package init(_ connection: inout PostgresConnection) throws(PostgresError) {
    let result = try connection.execute("SELECT app_id, name, max(data_through) OVER () FROM pagefall.apps")
    var names: [Int32: String] = [:]
    var dataThrough: PostgresTimestamp?
    for row in 0..<result.rowCount {
      let number: Int32 = try result[row, 0]
      names[number] = try result[row, 1]
      dataThrough = try result[row, 2]
    }
    self.names = names
    dataThroughMicroseconds = dataThrough?.microsecondsSince1970
  }

  /// The name of an app.
  package func name(of appID: Int32) -> String { names[appID] ?? "(removed)" }

  /// The numbers of the scope's apps; nil where all are meant.
  ///
  /// - Throws: `.usage` with the names that there are.
  package func numbers(of scope: ReportScope) throws(ReportError) -> [Int32]? {
    var chosen: Set<Int32>? = scope.apps.isEmpty ? nil : Set(try numbers(named: scope.apps))
    for condition in scope.conditions where condition.field == .app {
      let named = try numbers(named: condition.values)
      let allowed = condition.isNegated ? names.keys.filter { !named.contains($0) } : named
      chosen = (chosen ?? Set(names.keys)).intersection(allowed)
    }
    return chosen?.sorted()
  }

  private func numbers(named wanted: [String]) throws(ReportError) -> [Int32] {
    var numbers: [Int32] = []
    for name in wanted {
      guard let number = names.first(where: { $0.value.isSameBytes(as: name) })?.key else {
        throw .usage(
          "there is no app \(QuotedText.of(name)); "
            + NameList.sentence(names.values.sorted(), none: "no app has sent anything yet"))
      }
      numbers.append(number)
    }
    return numbers
  }
}

/// Lists what there is, in messages.
enum NameList {
  /// Such as `there is 'a', 'b' and 3 more`.
  static func sentence(_ names: [String], none: String, most: Int = 12) -> String {
    guard !names.isEmpty else { return none }
    let shown = names.prefix(most).map { QuotedText.of($0) }.joined(separator: ", ")
    return "there is " + shown + (names.count > most ? " and \(names.count - most) more" : "")
  }
}
