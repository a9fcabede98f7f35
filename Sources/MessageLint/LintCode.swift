/// Every kind of finding. The raw values are stable: codes may be added, never renamed (docs/lint.md lists them).
package enum LintCode: String, Equatable, Sendable, CaseIterable {
  // The file.
  case fileTooLarge = "file_too_large"
  case notJSON = "not_json"
  case notAnObject = "not_an_object"
  case noNotification = "no_notification"
  case notificationNotAnObject = "notification_not_an_object"
  case tooManyNotifications = "too_many_notifications"
  case duplicateKey = "duplicate_key"

  // The block.
  case missingBlock = "missing_block"
  case badPageList = "bad_page_list"
  case noUsablePage = "no_usable_page"
  case noStory = "no_story"
  case shadowedBlock = "shadowed_block"
  case blockNotAnObject = "block_not_an_object"
  case customDataUnchecked = "custom_data_unchecked"
  case storyIDMissing = "story_id_missing"
  case storyIDUnusable = "story_id_unusable"
  case storyIDTooLong = "story_id_too_long"
  case tooManyPages = "too_many_pages"

  // Pages: the dropped ones first, named as `PageDropReason` is.
  case missingImage = "missing_image"
  case imageNotText = "image_not_text"
  case imageNotURL = "image_not_url"
  case imageWithoutScheme = "image_without_scheme"
  case imageNotHTTPS = "image_not_https"
  case imageUnusualScheme = "image_unusual_scheme"
  case imageNeedsEncoding = "image_needs_encoding"
  case durationNotANumber = "duration_not_a_number"
  case durationIsBoolean = "duration_is_boolean"
  case durationNotPositive = "duration_not_positive"
  case durationTooLong = "duration_too_long"
  case linkNotText = "link_not_text"
  case linkNotURL = "link_not_url"
  case linkWithoutScheme = "link_without_scheme"
  case linkNeedsEncoding = "link_needs_encoding"
  case linkWithoutButtonTitle = "link_without_button_title"
  case buttonTitleWithoutLink = "button_title_without_link"
  case textNotText = "text_not_text"
  case textEmpty = "text_empty"
  case textBlank = "text_blank"
  case textLeftOutOfEvents = "text_left_out_of_events"

  // Delivery.
  case categoryMissing = "category_missing"
  case categoryNotStories = "category_not_stories"
  case categoryConflict = "category_conflict"
  case mutableContentMissing = "mutable_content_missing"
  case rootParamsNotAnObject = "root_params_not_an_object"
  case payloadTooLarge = "payload_too_large"
  case payloadNearLimit = "payload_near_limit"
  case iosCategoryUnusable = "ios_category_unusable"
  case iosCategoryUnknown = "ios_category_unknown"
  case iosCategoryWithoutButtons = "ios_category_without_buttons"
  case iosCategoryBesideCustom = "ios_category_beside_custom"
  case keyLooksMistyped = "key_looks_mistyped"

  // The app's content extension.
  case extensionMissing = "extension_missing"
  case extensionPointDiffers = "extension_point_differs"
  case extensionCategoryMissing = "extension_category_missing"
  case extensionCategoryDiffers = "extension_category_differs"
  case extensionInteractionDisabled = "extension_interaction_disabled"
  case extensionDefaultContentShown = "extension_default_content_shown"
  case extensionRatioMissing = "extension_ratio_missing"
  case extensionRatioDiffers = "extension_ratio_differs"

  /// How bad it is. Only `mutableContentMissing` is graver where images are to be fetched ahead.
  package var severity: LintSeverity {
    switch self {
    case .fileTooLarge, .notJSON, .notAnObject, .noNotification, .notificationNotAnObject, .missingBlock, .badPageList,
      .noUsablePage, .missingImage, .imageNotText, .imageNotURL, .imageWithoutScheme, .categoryMissing,
      .categoryNotStories, .payloadTooLarge, .iosCategoryUnknown, .extensionMissing, .extensionPointDiffers,
      .extensionCategoryMissing,
      .extensionCategoryDiffers, .extensionInteractionDisabled:
      .error
    case .tooManyNotifications, .duplicateKey, .shadowedBlock, .blockNotAnObject, .storyIDMissing, .storyIDUnusable,
      .storyIDTooLong, .tooManyPages, .imageNotHTTPS, .imageUnusualScheme, .imageNeedsEncoding, .durationNotANumber,
      .durationIsBoolean, .durationNotPositive, .durationTooLong, .linkNotText, .linkNotURL, .linkWithoutScheme,
      .linkNeedsEncoding, .linkWithoutButtonTitle, .buttonTitleWithoutLink, .textNotText, .textBlank,
      .textLeftOutOfEvents, .categoryConflict, .rootParamsNotAnObject, .payloadNearLimit, .iosCategoryUnusable,
      .iosCategoryWithoutButtons, .iosCategoryBesideCustom, .extensionDefaultContentShown,
      .extensionRatioMissing, .extensionRatioDiffers:
      .warning
    case .noStory, .customDataUnchecked, .textEmpty, .mutableContentMissing, .keyLooksMistyped: .note
    }
  }
}
