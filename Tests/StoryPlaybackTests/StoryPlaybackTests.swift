import Foundation
import StoryPlayback

/// A file of `Tests/Fixtures`.
func fixture(_ name: String) throws -> Data {
  let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  return try Data(contentsOf: folder.appendingPathComponent("Fixtures").appendingPathComponent(name))
}

/// Pages with these durations in seconds, each with a button.
func pages(_ durations: Double..., withButton: Bool = true) throws -> [StoryPage] {
  let image = try url("https://e.example/1.jpg")
  let link = try url("yourapp://page")
  return durations.enumerated().map { index, duration in
    StoryPage(
      imageURL: image, durationSeconds: duration, link: withButton ? link : nil, buttonTitle: "Go", payloadIndex: index)
  }
}

private struct NotURL: Error {}

private func url(_ text: String) throws -> URL {
  guard let url = URL(string: text) else { throw NotURL() }
  return url
}
