import FunnelDocument

extension StoriesReport {
  /// Sentences on everything that cannot be, in a line and between the lines; empty where the report is sound.
  ///
  /// The total is counted by itself, so that a session that a line has lost or has twice is found.
  func conservationFaults() -> [String] {
    var faults = total.conservationFaults()
    for line in stories {
      faults += line.conservationFaults().map { "story \(line.story ?? StorySelection.noneText): " + $0 }
    }
    faults += total.counts.sumFaults(stories.map(\.counts), of: "stories")
    let sums = days.indices.map { day in stories.reduce(0) { $0 + $1.sessionsByDay[day] } }
    if sums != total.sessionsByDay { faults.append("the sessions of days do not add up to the total") }
    if total.pageCount != stories.map(\.pageCount).max() ?? 0 { faults.append("no story has the pages of the total") }
    if let devices = total.devices { faults += devices.sumFaults(stories.compactMap(\.devices)) }
    return faults
  }
}

extension StoryLine {
  fileprivate func conservationFaults() -> [String] {
    var faults =
      counts.conservationFaults() + (devices?.conservationFaults(ofPresentations: counts.presentations) ?? [])
    let sessionsOfDays = sessionsByDay.reduce(0, +)
    if sessionsOfDays > counts.sessions { faults.append("\(sessionsOfDays) sessions of days of \(counts.sessions)") }
    return faults
  }
}
