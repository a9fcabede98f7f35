import EventIntake

/// Writes the body of a 202 or 422 (contract §2).
enum EventsAnswer {
  static func write(_ summary: IntakeSummary, into writer: inout JSONWriter) {
    writer.removeAll()
    writer.raw(#"{"accepted":"#)
    writer.integer(summary.accepted)
    writer.raw(#","rejected":"#)
    writer.integer(summary.rejected)
    writer.raw(#","errors":["#)
    var isFirst = true
    for error in summary.errors {
      writer.raw(isFirst ? #"{"index":"# : #",{"index":"#)
      isFirst = false
      writer.integer(error.index)
      writer.raw(#","code":""#)
      writer.raw(error.code.name)
      if let field = error.field {
        writer.raw(#"","field":"#)
        writer.string(field)
      } else {
        writer.raw(#"""#)
      }
      writer.raw(#","message":"#)
      writer.string(error.message)
      writer.raw("}")
    }
    writer.raw(#"],"warnings":["#)
    isFirst = true
    for warning in summary.warnings {
      writer.raw(isFirst ? #"{"code":""# : #",{"code":""#)
      isFirst = false
      writer.raw(warning.code.name)
      writer.raw(#"","count":"#)
      writer.integer(warning.count)
      writer.raw(#","message":"#)
      writer.string(warning.message)
      writer.raw("}")
    }
    writer.raw("]}")
  }
}
