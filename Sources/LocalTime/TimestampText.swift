/// Instants as text (RFC 3339), by microseconds since 1970.
package enum TimestampText {
  /// With the zone's offset, `Z` for UTC itself; fractions only where there are any, cut to milliseconds or microseconds.
  package static func rfc3339(_ microseconds: Int64, in zone: ReportTimeZone) -> String {
    let (seconds, fraction) = microseconds.quotientRoundedDown(by: 1_000_000)
    let offset = zone.offsetSeconds(atSecondsSince1970: seconds)
    let (day, second) = (seconds + offset).quotientRoundedDown(by: 86_400)
    var text = "\(CivilDate(dayNumber: day).text)T\(clock(second))"
    if fraction % 1_000 != 0 {
      text += ".\(fraction.padded(to: 6))"
    } else if fraction != 0 {
      text += ".\((fraction / 1_000).padded(to: 3))"
    }
    return text + (zone == .utc ? "Z" : offsetText(offset))
  }

  /// The same, cut to seconds.
  package static func wholeSeconds(_ microseconds: Int64, in zone: ReportTimeZone) -> String {
    rfc3339(microseconds.quotientRoundedDown(by: 1_000_000).quotient * 1_000_000, in: zone)
  }

  /// `10:00:00`.
  private static func clock(_ secondOfDay: Int64) -> String {
    let minutes = secondOfDay / 60
    return "\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2)):\((secondOfDay % 60).padded(to: 2))"
  }

  /// `+01:00`. Offsets of the 19th century have seconds, which RFC 3339 cannot say: they are cut.
  private static func offsetText(_ offset: Int64) -> String {
    let minutes = offset.magnitude / 60
    return "\(offset < 0 ? "-" : "+")\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))"
  }
}
