import LocalTime

/// The days that a run has to write, oldest first, and those that it leaves.
struct ExportPlan {
  /// A day that is due.
  struct DueDay {
    var day: ExportDay
    /// Its last set; nil: it has none.
    var set: SetRecord?
    /// What has changed since; nil where there is no set.
    var change: SetChange?
    /// What is stored of it, by the account.
    var stored: ChangeCount
  }

  private(set) var due: [DueDay] = []
  /// Days whose set is as it should be.
  private(set) var unchangedCount = 0
  /// Days that lost events to the retention line, and are left as they were exported.
  private(set) var keptCount = 0

  /// - Parameters:
  ///   - account: of all days where all changed ones are asked for, else of the range at least.
  ///   - sets: what is known of the sets that were made, by day.
  init(
    _ request: ExportRequest, _ account: ChangeAccount, sets: [CivilDate: SetRecord], definitions: String
  ) {
    for date in Self.candidates(request, account, sets) {
      let position = account.position(of: date)
      var due = DueDay(day: ExportDay(date, in: request.zone), stored: position.stored)
      if let set = sets[date] {
        let change = SetChange(
          since: set, to: position, databaseID: account.databaseID, definitions: definitions, request.options)
        if change.causes.isEmpty {
          unchangedCount += 1
          continue
        }
        if request.keeps(position) {
          keptCount += 1
          continue
        }
        due.set = set
        due.change = change
      }
      self.due.append(due)
    }
  }

  /// 0001-01-01; nobody can write a day before it.
  private static let firstDay = CivilDate(dayNumber: -719_162)

  /// The days to look at, oldest first.
  ///
  /// Of all days: those that have a set or anything stored, and those since the newest set up to yesterday, so that every day
  /// gets a set, also one on which nothing happened. Without any set, yesterday has to do for those.
  private static func candidates(
    _ request: ExportRequest, _ account: ChangeAccount, _ sets: [CivilDate: SetRecord]
  ) -> [CivilDate] {
    switch request.days {
    case .range(let first, let last):
      return (first.dayNumber...last.dayNumber).map { CivilDate(dayNumber: $0) }
    case .changed:
      let yesterday = CivilDate(dayNumber: request.today.dayNumber - 1)
      let newestSet = sets.keys.filter { $0 <= yesterday }.max() ?? CivilDate(dayNumber: yesterday.dayNumber - 1)
      // A session of the first hours of year 1 in UTC starts, west of there, on a day that no set can be named after.
      var dates = Set(account.positions.keys).union(sets.keys).filter { $0 >= Self.firstDay && $0 <= yesterday }
      let first = max(newestSet.dayNumber + 1, yesterday.dayNumber + 1 - ExportRequest.mostDays)
      for number in stride(from: first, through: yesterday.dayNumber, by: 1) {
        dates.insert(CivilDate(dayNumber: number))
      }
      return dates.sorted()
    }
  }
}
