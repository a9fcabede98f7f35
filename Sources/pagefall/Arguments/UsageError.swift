/// What is wrong with a command line, in one line that says what to do.
struct UsageError: Error, Equatable {
  let message: String
}
