import ArchiverCore

/// The direction of text, by its first strong character as in browsers (Unicode Standard Annex #9,
/// rules P2 and P3).
///
/// Notion does not report it; its editor determines it for every block. Pages are left-to-right, so
/// that only text in other scripts has a direction of its own.
enum WritingDirection: String, Sendable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"

  /// `nil` for text without a letter, which has the direction of its context.
  init?(_ text: some StringProtocol) {
    guard let letter = text.unicodeScalars.first(where: \.properties.isAlphabetic) else {
      return nil
    }
    self = WritingDirection.isRightToLeft(letter) ? .rightToLeft : .leftToRight
  }

  /// Returns `rtl` for right-to-left text, for an element in a left-to-right context.
  static func exception(_ text: some StringProtocol) -> String? {
    WritingDirection(text) == .rightToLeft ? WritingDirection.rightToLeft.rawValue : nil
  }

  /// Whether any character belongs to a right-to-left script.
  static func isMixed(_ text: some StringProtocol) -> Bool {
    // The bytes alone exclude Latin text, which is most.
    text.utf8.contains { $0 >= 0xD6 } && text.unicodeScalars.contains(where: isRightToLeft)
  }

  /// The Unicode blocks of right-to-left scripts, Hebrew and Arabic first.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x1_0800...0x1_0FFF,
      0x1_E800...0x1_EFFF:
      scalar.properties.isAlphabetic
    default: false
    }
  }
}
