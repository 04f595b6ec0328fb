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

extension BlockTree {
  /// Whether any block has right-to-left text, so that every block must declare its direction.
  var hasBothDirections: Bool {
    nodes.contains { node in
      node.text.contains { WritingDirection.isMixed($0.plain) }
        || node.caption.contains { WritingDirection.isMixed($0.plain) }
        || node.cells.contains { RichText.list($0).contains { WritingDirection.isMixed($0.plain) } }
        || WritingDirection.isMixed(node.payload["title"]?.string ?? "")
    }
  }
}

extension BlockTree.Node {
  /// The cells of a table's row.
  var cells: [JSONValue] { payload["cells"]?.array ?? [] }
}

extension BlockRenderer {
  /// Returns the direction of text if the page has both.
  func direction(_ text: [RichText]) -> String? {
    direction(text.map(\.plain).joined())
  }

  func direction(_ text: String) -> String? {
    hasBothDirections ? WritingDirection(text)?.rawValue : nil
  }

  /// Returns the direction of a block's own text; code and formulas are always left-to-right.
  func direction(of node: BlockTree.Node) -> String? {
    guard hasBothDirections else { return nil }
    switch node.type {
    case "code", "equation": return WritingDirection.leftToRight.rawValue
    case "table":
      let words = node.children.flatMap { tree[$0].cells }.map { RichText.plain($0.array ?? []) }
      return words.lazy.compactMap { WritingDirection($0) }.first?.rawValue
    case "child_page", "child_database":
      return direction(node.payload["title"]?.string ?? "")
    default: return direction(node.text)
    }
  }
}
