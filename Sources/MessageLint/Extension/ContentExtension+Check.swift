extension ContentExtension {
  /// The extension point of notification content extensions.
  private static let contentPoint = "com.apple.usernotifications.content-extension"

  /// What is wrong with it for stories. Whether it takes a message's category is told with the message.
  ///
  /// - Parameters:
  ///   - name: what the report calls the file.
  ///   - aspectRatio: height by width of the story, the `storyAspectRatio` that the app sets (playback §1.4).
  package func lint(name: String, aspectRatio: Double) -> LintedInfoPlist {
    var findings = FindingList()
    guard let attributesPointer else {
      findings.add(
        .extensionMissing, at: JSONPointer(),
        "There is no NSExtension with NSExtensionAttributes: this is not the Info.plist of a notification content "
          + "extension. Give the extension's, not the app's.")
      return LintedInfoPlist(name: name, findings: findings.sorted)
    }
    let place = attributesPointer.split(separator: "/").reduce(JSONPointer()) { $0.appending(String($1)) }
    checkPoint(&findings)
    if categories.isEmpty {
      findings.add(
        .extensionCategoryMissing, at: place,
        "\(Self.categoryKey) is absent or empty: iOS never calls the extension. Set it to \(storyCategory).")
    }
    if !takesTouches {
      findings.add(
        .extensionInteractionDisabled, at: place,
        "\(Self.touchesKey) is not true: taps never reach the story, neither pages nor buttons. Set it to true.")
    }
    if !hidesDefaultContent {
      findings.add(
        .extensionDefaultContentShown, at: place,
        "\(Self.hiddenKey) is not true: iOS shows the plain notification below the story. Set it to true.")
    }
    checkRatio(aspectRatio, at: place, &findings)
    return LintedInfoPlist(name: name, findings: findings.sorted)
  }

  private func checkPoint(_ findings: inout FindingList) {
    guard let pointIdentifier, pointIdentifier != Self.contentPoint else { return }
    let place = JSONPointer().appending("NSExtension").appending("NSExtensionPointIdentifier")
    findings.add(
      .extensionPointDiffers, at: place,
      "The extension is a \(quoted(pointIdentifier)), which shows no stories. Give the Info.plist of the content "
        + "extension, \(Self.contentPoint).")
  }

  private func checkRatio(_ aspectRatio: Double, at place: JSONPointer, _ findings: inout FindingList) {
    guard let sizeRatio else {
      findings.add(
        .extensionRatioMissing, at: place,
        "\(Self.ratioKey) is absent or no number: the notification jumps to the story's size when it opens. Set it to "
          + "\(aspectRatio).")
      return
    }
    // Both are written by hand with a few digits.
    if (sizeRatio - aspectRatio).magnitude > 0.005 {
      findings.add(
        .extensionRatioDiffers, at: place.appending(Self.ratioKey),
        "\(Self.ratioKey) is \(sizeRatio), but the story's aspect ratio is \(aspectRatio): the notification jumps when "
          + "the story opens. Make them equal.")
    }
  }
}
