import Foundation

/// What can be found out about the device and the app without asking anybody.
package struct DeviceFacts: Sendable, Equatable {
  package var appVersion: String?
  package var osVersion: String?
  package var deviceModel: String?
  package var locale: String?
  package var environment: String

  package init(
    appVersion: String? = nil, osVersion: String? = nil, deviceModel: String? = nil, locale: String? = nil,
    environment: String = "production"
  ) {
    self.appVersion = appVersion
    self.osVersion = osVersion
    self.deviceModel = deviceModel
    self.locale = locale
    self.environment = environment
  }

  /// Of this process; found out once, when a session begins for the first time.
  package static let current = find()

  private static func find() -> DeviceFacts {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    let patch = version.patchVersion == 0 ? "" : ".\(version.patchVersion)"
    // A simulator's kernel is the Mac's: the model it plays stands in its environment.
    let simulatedModel = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"]
    return DeviceFacts(
      appVersion: Bundle.main.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String,
      osVersion: "\(version.majorVersion).\(version.minorVersion)\(patch)",
      deviceModel: simulatedModel ?? kernelModel(), locale: Locale.current.identifier,
      environment: isSimulator ? "simulator" : "production")
  }

  private static var isSimulator: Bool {
    #if targetEnvironment(simulator)
      true
    #else
      false
    #endif
  }

  /// `uname`'s machine: the model on a phone, such as `iPhone17,1`; elsewhere the processor's architecture.
  private static func kernelModel() -> String? {
    var names = utsname()
    guard uname(&names) == 0 else { return nil }
    return withUnsafeBytes(of: names.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
