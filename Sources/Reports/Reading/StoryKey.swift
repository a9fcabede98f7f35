/// A story of an app. Stories are told apart by their bytes, as in the database.
struct StoryKey: Hashable {
  /// The app's number in the database.
  let appID: Int32
  private let name: ByteText?

  /// Nil for sessions without a story. One whose sender calls it `(none)` is the same, as in groups and filters.
  var story: String? { name?.text }

  init(appID: Int32, story: String?) {
    self.appID = appID
    name = story == StorySelection.noneText ? nil : story.map(ByteText.init)
  }
}
