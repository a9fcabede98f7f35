import Foundation
import FunnelDocument
import TestSupport
import Testing

/// A comparison in JSON, computed once more by a program that shares nothing with Pagefall: Python's standard library.
enum ComparisonCheck {
  /// Expects that every number of a comparison follows from the funnels of its two sides, each of which is sound.
  static func check(_ comparison: JSONValue, _ name: String) throws {
    let run = try PagefallProcess.run(
      ["-c", program], input: Array(comparison.text().utf8), binary: "/usr/bin/python3")
    #expect(
      run.exitCode == 0 && run.standardOutput == "" && run.standardError == "",
      "\(name): \(run.standardOutput)\(run.standardError)")
    for side in ["a", "b"] {
      let funnel = JSONValue.object(
        [
          JSONMember("report", .string("funnel")), JSONMember("definitions", .string("funnel/1")),
          JSONMember("generated_at", .string("2026-12-01T03:00:00Z")), JSONMember("data_through", .null),
        ] + (comparison[side]?.objectValue ?? []))
      #expect(try FunnelReport(text: funnel.text().utf8).conservationFaults() == [], "\(name)")
    }
  }

  private static let program = #"""
    import json, math, sys
    from statistics import NormalDist
    report = json.load(sys.stdin)
    a, b = report["a"], report["b"]
    z = NormalDist().inv_cdf(0.975)

    def wilson(x, n):
        p, d = x / n, 1 + z * z / n
        h = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / d
        m = (p + z * z / (2 * n)) / d
        return m - h, m + h

    def near(found, wanted, what):
        if found is None or wanted is None:
            if found is not wanted: print(what, found, wanted)
        elif abs(found - wanted) > 1e-9: print(what, found, wanted)

    def compare(x, m, y, n):
        if not m or not n: return None, None, None, None
        p, q = x / m, y / n
        (l, u), (k, o) = wilson(x, m), wilson(y, n)
        low = q - p - math.hypot(q - k, u - p)
        high = q - p + math.hypot(o - q, p - l)
        pooled = (x + y) / (m + n)
        value = None
        if 0 < x + y < m + n:
            deviation = math.sqrt(pooled * (1 - pooled) * (1 / m + 1 / n))
            value = 2 * NormalDist().cdf(-abs(q - p) / deviation)
        return q - p, low, high, value

    def of_sessions(s):
        return [(s["finished_sessions"], s["sessions"]), (s["reached_last_sessions"], s["sessions"]),
                (s["tapped_sessions"], s["sessions"]), (s["fallbacks"], s["presentations"])]

    def of_page(s, i):
        if i >= len(s["pages"]): return [(0, 0)] * 4
        p, n = s["pages"][i], s["pages"][i]["sessions"]
        reached = p["strict_sessions"] if s["scope"]["order"] == "strict" else n
        return [(reached, s["sessions"]), (p["completed_sessions"], n), (p["tapped_sessions"], n),
                (p["departures"]["exited"], n)]

    names = ["completion_rate", "reached_last_rate", "tap_rate", "fallback_rate"]
    page_names = ["reach_rate", "page_completion_rate", "tap_through_rate", "exit_rate"]
    wanted = list(zip(names, of_sessions(a), of_sessions(b)))
    length = max(len(a["pages"]), len(b["pages"]))
    if [p["index"] for p in report["pages"]] != list(range(length)): print("pages")
    for i in range(length): wanted += zip(page_names, of_page(a, i), of_page(b, i))
    found = report["rates"] + [rate for page in report["pages"] for rate in page["rates"]]
    if len(found) != len(wanted): print("rates", len(found), len(wanted))
    values = []
    for rate, (name, (x, m), (y, n)) in zip(found, wanted):
        if rate["name"] != name: print(rate["name"], name)
        sides = [rate["a"]["numerator"], rate["a"]["denominator"], rate["b"]["numerator"], rate["b"]["denominator"]]
        if sides != [x, m, y, n]: print(name, sides, x, m, y, n)
        proportions = x <= m and y <= n
        difference, low, high, value = compare(x, m, y, n) if proportions else (y / n - x / m if m and n else None, None, None, None)
        near(rate["difference"], difference, name)
        interval = rate["difference_ci"] or [None, None]
        near(interval[0], low, name + " low"); near(interval[1], high, name + " high")
        near(rate["p_value"], value, name + " p")
        values.append(rate["p_value"])
    tests = sorted(v for v in values if v is not None)
    for rate, value in zip(found, values):
        adjusted = None if value is None else max(
            min(1, t * (len(tests) - i)) for i, t in enumerate(tests) if t <= value)
        near(rate["p_value_adjusted"], adjusted, rate["name"] + " adjusted")
    """#
}
