import FunnelDocument
import Reports

/// The rates of sessions, large.
struct SessionFigures {
  private let rates: FunnelRates
  private let devices: DeviceCounts?

  /// - Parameter devices: those among the presentations, where they were asked for.
  init(_ rates: FunnelRates, devices: DeviceCounts? = nil) {
    self.rates = rates
    self.devices = devices
  }

  /// A sentence on how many there are, and a box a rate.
  var html: HTML {
    let counts = rates.counts
    return .several([
      HTML("p", ["class": "lead"]) {
        "\(FigureText.count(counts.presentations, "presentation")), of which \(FigureText.count(counts.fallbacks)) fell "
          + "back, made \(FigureText.count(counts.sessions, "session"))."
      },
      devices.map { devices in HTML("p", ["class": "lead"]) { words(devices) } } ?? .nothing,
      rates.areHidden
        ? HTML("p", ["class": "notice"]) {
          "Fewer than \(FigureText.count(rates.minimumCount, "presentation")), so rates are hidden (--min-count)."
        } : .nothing,
      HTML("dl", ["class": "cards"]) {
        Self.card("Finished", "completion_rate", rates.completion, of: "sessions")
        Self.card("Reached the last page", "reached_last_rate", rates.reachedLast, of: "sessions")
        Self.card("Tapped", "tap_rate", rates.tap, of: "sessions")
        Self.card("Fell back", "fallback_rate", rates.fallback, of: "presentations")
      },
    ])
  }

  private func words(_ devices: DeviceCounts) -> String {
    let share = devices.share(ofPresentations: rates.counts.presentations, isHidden: rates.areHidden)
    return
      "\(FigureText.count(devices.distinct, "device")); \(FigureText.count(devices.presentationsWithDevice)) of the "
      + "presentations (\(FigureText.percent(share.value))) have one."
  }

  private static func card(_ title: String, _ key: String, _ rate: Rate, of whole: String) -> HTML {
    HTML("div") {
      HTML("dt") { title }
      HTML("dd", ["class": "big", "data-key": key, "data-value": rate.value.map(\.description)]) {
        FigureText.percent(rate.value)
      }
      HTML("dd", ["class": "small"]) {
        SmallDrawing.bar(rate)
        "\(FigureText.count(rate.numerator)) of \(FigureText.count(rate.denominator)) \(whole)"
        if rate.wilsonInterval != nil {
          HTML("br")
          "95%: \(FigureText.interval(rate.wilsonInterval))"
        }
      }
    }
  }
}
