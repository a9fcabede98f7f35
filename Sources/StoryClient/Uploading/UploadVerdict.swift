import Foundation
import StoryEvents

/// What an answer means for the events that were sent (contract §2).
///
/// Between a phone and its collector stand proxies, portals of hotels and filters of companies, and each may answer in the
/// collector's place. So a status counts as Pagefall's own only with the body that Pagefall gives with it.
enum UploadVerdict: Sendable, Equatable {
  /// They are dealt with: each was taken, or refused and kept for inspection there.
  case forget(accepted: Int, rejected: Int, messages: [String])
  /// No collector would ever take them.
  case drop(message: String)
  /// Too large: half of them first. An event alone cannot be halved and is dropped.
  case halve
  /// The same again later.
  case retry(askedSeconds: Double?)
  /// Nothing more before the next start.
  case stop(UploadStop)

  /// Judges an answer.
  ///
  /// - Parameters:
  ///   - eventCount: how many events were sent, at least 1.
  ///   - wallMicroseconds: the phone's clock.
  init(_ answer: UploadAnswer, eventCount: Int, wallMicroseconds: Int64) {
    let later = Self.retry(askedSeconds: answer.retryAfterSeconds(wallMicroseconds: wallMicroseconds))
    switch answer.status {
    case 202, 422:
      guard let tally = Tally(answer.body) else {
        self = later
        return
      }
      if tally.accepted + tally.rejected == eventCount {
        self = .forget(accepted: tally.accepted, rejected: tally.rejected, messages: tally.messages)
      } else {
        // Of another request, or of a request that something changed on the way. Smaller ones are told apart, and of an event
        // alone the count is sure.
        self = eventCount > 1 ? .halve : later
      }
    case 300...399: self = .stop(.redirected(status: answer.status))
    case 401, 403: self = .stop(.keyRefused(status: answer.status))
    case 408, 429: self = later
    case 413: self = .halve
    case 400...499:
      guard let problem = Problem(answer.body), problem.status == answer.status else {
        self = later
        return
      }
      self = .drop(message: "\(answer.status) \(problem.code): \(problem.detail)")
    default:
      // 5xx; and 2xx that Pagefall never gives, such as a portal's 200 with its login page.
      self = later
    }
  }

  /// The body of a 202 or 422.
  private struct Tally {
    let accepted: Int
    let rejected: Int
    let messages: [String]

    init?(_ body: [UInt8]) {
      guard let object = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any],
        let accepted = object["accepted"] as? Int, let rejected = object["rejected"] as? Int,
        // Bounds that keep the sum from overflowing.
        (0...ContractLimits.eventsPerRequest).contains(accepted),
        (0...ContractLimits.eventsPerRequest).contains(rejected)
      else { return nil }
      self.accepted = accepted
      self.rejected = rejected
      let errors = object["errors"] as? [[String: Any]] ?? []
      messages = errors.prefix(UploadSummary.mostMessages).map { error in
        "\(error["code"] as? String ?? "?"): \(error["message"] as? String ?? "")"
      }
    }
  }

  /// The body of an error (RFC 9457) in the form that Pagefall gives it: with a code and a detail.
  private struct Problem {
    let status: Int
    let code: String
    let detail: String

    init?(_ body: [UInt8]) {
      guard let object = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any],
        let status = object["status"] as? Int, let code = object["code"] as? String,
        let detail = object["detail"] as? String
      else { return nil }
      self.status = status
      self.code = code
      self.detail = detail
    }
  }
}
