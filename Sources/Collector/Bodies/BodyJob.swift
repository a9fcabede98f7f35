import EventIntake

/// A body for a worker: bytes that stay where they are as long as their request is suspended.
struct UnsafeBody: @unchecked Sendable {
  // Unchecked: the request is suspended until the worker's answer, so its buffer neither moves nor changes.
  let bytes: UnsafeRawBufferPointer
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }
}

/// What a worker needs of a request.
struct BodyJob: Sendable {
  let request: SuspendedRequest
  let intake: IntakeRequest
  let encoding: BodyEncoding
  let body: UnsafeBody
}
