import FunnelDocument

/// Drawings that stand beside the number that they show, so that nothing has to be said of them.
enum SmallDrawing {
  /// A bar of a rate with its interval; nothing where there is no rate.
  static func bar(_ rate: Rate, width: Int? = nil) -> HTML? {
    guard let value = rate.value else { return nil }
    return HTML(
      "svg", ["width": width.map(String.init) ?? "100%", "height": "8", "aria-hidden": "true", "focusable": "false"]
    ) {
      HTML("rect", ["width": "100%", "y": "1", "height": "6", "rx": "2", "class": "fill-track"])
      HTML("rect", ["width": SVGNumber.percent(value), "y": "1", "height": "6", "rx": "2", "class": "fill-value"])
      if let interval = rate.wilsonInterval {
        HTML(
          "line",
          [
            "x1": SVGNumber.percent(interval.lower), "x2": SVGNumber.percent(interval.upper), "y1": "4", "y2": "4",
            "class": "whisker",
          ])
      }
    }
  }

  /// Columns of equal width, the highest as high as the drawing; anything above nothing shows.
  static func columns(_ values: [Double], highest: Double? = nil, width: Int, height: Int) -> HTML {
    let top = highest ?? values.max() ?? 0
    let step = Double(width) / Double(max(1, values.count))
    return HTML(
      "svg", ["width": String(width), "height": String(height), "aria-hidden": "true", "focusable": "false"]
    ) {
      HTML(
        "rect",
        ["width": String(width), "y": String(height - 1), "height": "1", "class": "fill-track"])
      for (place, value) in values.enumerated() where value > 0 && top > 0 {
        let drawn = max(1.5, value / top * Double(height))
        HTML(
          "rect",
          [
            "x": SVGNumber.text(Double(place) * step), "width": SVGNumber.text(max(0.5, step - (step > 3 ? 1 : 0))),
            "y": SVGNumber.text(Double(height) - drawn), "height": SVGNumber.text(drawn), "class": "spark",
          ])
      }
    }
  }
}
