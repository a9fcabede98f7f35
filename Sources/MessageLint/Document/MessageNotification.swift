import FunnelDocument

/// One notification of a file, and the payload that it becomes.
struct MessageNotification: Sendable {
  var form: MessageForm
  /// Its place in `notifications`, from 0; 0 for a payload or a bare block.
  var index: Int
  /// Where it stands in the file.
  var pointer: JSONPointer
  /// As it stands in the file.
  var value: JSONValue
  /// What arrives on the phone.
  var payload: ArrivedPayload
  /// Keys in it that stand twice.
  var duplicateKeys: [MessagePlace]

  init(form: MessageForm, index: Int, pointer: JSONPointer, value: JSONValue) {
    self.form = form
    self.index = index
    self.pointer = pointer
    self.value = value
    payload = ArrivedPayload(form: form, value: value)
    duplicateKeys = payload.duplicatesInCustomData.flatMap { key, places in
      places.map { inner in
        MessagePlace(pointer: Self.place(ofRootKey: key, form: form, notification: pointer), inner: inner)
      }
    }
  }

  /// Where in the file a key of the payload's root comes from.
  func place(ofRootKey key: String) -> JSONPointer {
    Self.place(ofRootKey: key, form: form, notification: pointer)
  }

  /// Where in the file the block stands; nil without one.
  var blockPlace: MessagePlace? {
    guard let block = payload.block else { return nil }
    switch block.location {
    case .root: return MessagePlace(pointer: place(ofRootKey: "pw_stories"))
    case .object(let key): return MessagePlace(pointer: place(ofRootKey: key).appending("pw_stories"))
    case .text(let key):
      return MessagePlace(pointer: place(ofRootKey: key), inner: JSONPointer().appending("pw_stories"))
    }
  }

  private static func place(
    ofRootKey key: String, form: MessageForm, notification: JSONPointer
  ) -> JSONPointer {
    switch form {
    case .request where key == "u": notification.appending("data")
    case .request: notification.appending("ios_root_params").appending(key)
    case .payload: notification.appending(key)
    case .block: notification
    }
  }
}
