import FunnelDocument

/// A drawing that stretches with the page while its texts keep their size: it has no `viewBox`, and all that is horizontal
/// is in percent.
struct Chart {
  /// The beginning of its ids; unique on the page.
  let id: String
  /// What it shows, in a few words.
  let title: String
  /// What one sees on it, for who does not see it.
  let description: String
  /// What is drawn so far.
  private var drawn: [HTML] = []
  /// How high it is so far, in pixels.
  private(set) var height = 0.0

  init(id: String, title: String, description: String) {
    self.id = id
    self.title = title
    self.description = description
  }

  /// The drawing.
  var html: HTML {
    HTML(
      "svg",
      [
        "width": "100%", "height": SVGNumber.text(height), "role": "img",
        "aria-labelledby": "\(id)-title \(id)-description",
      ]
    ) {
      HTML("title", ["id": "\(id)-title"]) { title }
      HTML("desc", ["id": "\(id)-description"]) { description }
      HTML.several(drawn)
    }
  }

  /// Makes room below what is drawn.
  mutating func advance(_ pixels: Double) { height += pixels }

  /// Draws at a place below the present height.
  mutating func draw(_ piece: HTML) { drawn.append(piece) }

  /// A rectangle; its place and width are shares of the chart's.
  mutating func rectangle(
    from begin: Double = 0, width: Double, top: Double = 0, height: Double, class name: String? = nil,
    fill: String? = nil
  ) {
    draw(
      HTML(
        "rect",
        [
          "x": SVGNumber.percent(begin), "width": SVGNumber.percent(width), "y": SVGNumber.text(self.height + top),
          "height": SVGNumber.text(height), "class": name, "fill": fill,
        ]))
  }

  /// A line; its horizontal places are shares of the chart's width.
  mutating func line(from begin: (Double, Double), to end: (Double, Double), class name: String) {
    draw(
      HTML(
        "line",
        [
          "x1": SVGNumber.percent(begin.0), "y1": SVGNumber.text(height + begin.1), "x2": SVGNumber.percent(end.0),
          "y2": SVGNumber.text(height + end.1), "class": name,
        ]))
  }

  /// An interval as a line with ends, which stands out from what it lies on.
  mutating func whisker(_ interval: ConfidenceInterval, middle: Double, halfHeight: Double, class name: String) {
    line(from: (interval.lower, middle), to: (interval.upper, middle), class: "halo")
    line(from: (interval.lower, middle), to: (interval.upper, middle), class: name)
    for end in [interval.lower, interval.upper] {
      line(from: (end, middle - halfHeight), to: (end, middle + halfHeight), class: name)
    }
  }

  /// A dot; its middle is a share of the width.
  mutating func dot(at share: Double, middle: Double, class name: String) {
    draw(
      HTML(
        "circle",
        ["cx": SVGNumber.percent(share), "cy": SVGNumber.text(height + middle), "r": "4.5", "class": name]))
  }

  /// A text of this program; its base line lies `top` below the present height.
  ///
  /// - Parameter shift: pixels that it is moved to the right.
  mutating func text(_ text: String, at share: Double, shift: Int? = nil, top: Double, class name: String? = nil) {
    draw(
      HTML(
        "text",
        [
          "x": SVGNumber.percent(share), "dx": shift.map(String.init), "y": SVGNumber.text(height + top), "class": name,
        ]
      ) { text })
  }

  /// A line of text that may be long, cut where its room ends; what is cut stands in the table.
  mutating func label(_ label: HTML, width: Double) {
    draw(
      HTML(
        "foreignObject",
        ["x": "0", "y": SVGNumber.text(height), "width": SVGNumber.percent(width), "height": "19"]
      ) { HTML("div", ["class": "cut"]) { label } })
  }
}
