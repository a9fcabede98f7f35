import StoryEvents

/// An event that a rule refused, kept byte for byte (contract §2); with `.unreadable`, a whole body that was answered 400.
public struct RejectedEvent {
  /// Why it was refused.
  public var code: RejectionCode
  /// The bare name of the field at fault; empty: none. Cut to 65,535 bytes.
  public var field: UnsafeRawBufferPointer
  /// What was found and what is expected; cut to 65,535 bytes.
  public var message: UnsafeRawBufferPointer
  /// Its place in the request from 0, or its line in a file from 1.
  public var index: UInt32
  /// What was sent.
  public var rawJSON: UnsafeRawBufferPointer

  /// Names all five.
  public init(
    code: RejectionCode, field: UnsafeRawBufferPointer, message: UnsafeRawBufferPointer, index: UInt32,
    rawJSON: UnsafeRawBufferPointer
  ) {
    self.code = code
    self.field = field
    self.message = message
    self.index = index
    self.rawJSON = rawJSON
  }
}
