/// What is known about a session: the same columns in the files of events and of sessions.
enum ContextColumns {
  /// Whose session it is; in front of each line.
  static let identity = [
    ExportColumn("app", .text, "The app that sent it."),
    ExportColumn("story_id", .text, "The story, as the sender names it; null where none was named."),
    ExportColumn("session_id", .uuid, "The session: one story, rich media or response on one device; the id as sent."),
  ]

  /// The session's times, clock and context.
  static let context = [
    ExportColumn("started_at", .timestamp, "The session's start by a corrected clock: decides the day it counts in."),
    ExportColumn("started_day", .date, "The local day of started_at, in the set's zone."),
    ExportColumn("arrived_at", .timestamp, "When the session's first event was received."),
    ExportColumn("arrived_day", .date, "The local day of arrived_at, in the set's zone."),
    ExportColumn(
      "clock_offset_us", .integer, unit: "microseconds", "What was added to the device's clock to get started_at."),
    ExportColumn(
      "suspect_clock", .boolean,
      "Whether the device's clock was not believable, so that the session counts at its arrival."),
    ExportColumn("message_hash", .text, "The message's hash."),
    ExportColumn("message_id", .text, "The message: a text, or a number of up to 64 bits with all its digits."),
    ExportColumn("campaign_id", .text, "The campaign: a text, or a number of up to 64 bits with all its digits."),
    ExportColumn("device_id", .text, "What the sender calls the device."),
    ExportColumn("user_id", .text, "What the sender calls the user."),
    ExportColumn("app_version", .text, "Version of the app."),
    ExportColumn("os_version", .text, "Version of the operating system."),
    ExportColumn("device_model", .text, "Model of the device."),
    ExportColumn("locale", .text, "Language and region."),
    ExportColumn("sdk_version", .text, "Version of the SDK that showed the story."),
    ExportColumn("environment", .text, "Where it happened, such as production or simulator."),
    ExportColumn("properties", .json, "Further values of the sender: an object of scalars."),
  ]
}
