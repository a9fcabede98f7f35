/// Lets pieces of a page be written one below the other; a text among them is a text.
@resultBuilder enum HTMLBuilder {
  static func buildExpression(_ piece: HTML) -> HTML { piece }
  static func buildExpression(_ piece: HTML?) -> HTML { piece ?? .nothing }
  static func buildExpression(_ text: String) -> HTML { .text(text) }
  static func buildBlock(_ pieces: HTML...) -> HTML { pieces.count == 1 ? pieces[0] : .several(pieces) }
  static func buildOptional(_ piece: HTML?) -> HTML { piece ?? .nothing }
  static func buildEither(first piece: HTML) -> HTML { piece }
  static func buildEither(second piece: HTML) -> HTML { piece }
  static func buildArray(_ pieces: [HTML]) -> HTML { .several(pieces) }
}
