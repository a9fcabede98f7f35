import Foundation
import Simulation
import StoryPlayback

/// The documented rich media.
func exampleRichMedia(sessions: Int) throws -> RichMediaWorld {
  let file = projectFolder.appendingPathComponent("Examples/rich-media.json")
  var world = try RichMediaWorld(json: Data(contentsOf: file))
  world.sessionCount = sessions
  return world
}

/// The documented categories, and one without buttons.
func exampleResponses(sessions: Int) throws -> ResponseWorld {
  let file = projectFolder.appendingPathComponent("Examples/register-device-response.json")
  var world = try ResponseWorld(registerDeviceResponse: Data(contentsOf: file))
  world.categories.append(NotificationCategory(id: "7", buttons: []))
  world.sessionCount = sessions
  return world
}

/// A world of all three surfaces, with so many sessions of each.
func worldOfAllSurfaces(sessions: Int, seed: UInt64 = 1) throws -> WorldConfiguration {
  var configuration = try exampleWorld(sessions: sessions, seed: seed)
  configuration.richMedia = try exampleRichMedia(sessions: sessions)
  configuration.responses = try exampleResponses(sessions: sessions)
  return configuration
}
