extension ConnectionOptions {
  /// What was given, as a connection string in libpq's `key='value'` form, for another libpq program.
  ///
  /// - Parameter excluded: keywords to leave out, such as `password`: everybody on a machine can read a program's
  ///   arguments, so a secret goes there by the environment.
  public func connectionString(without excluded: Set<String> = []) -> String {
    parameters.keys.sorted().filter { !excluded.contains($0) }.map { keyword in
      "\(keyword)='\(Self.quoted(parameters[keyword] ?? ""))'"
    }.joined(separator: " ")
  }

  /// libpq, "Keyword/Value Connection Strings": a backslash before `'` and `\`.
  private static func quoted(_ value: String) -> String {
    var text = ""
    for character in value {
      if character == "'" || character == "\\" { text.append("\\") }
      text.append(character)
    }
    return text
  }
}
