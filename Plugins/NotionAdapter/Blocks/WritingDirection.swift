import ArchiverCore

/// The direction in which words are written, by their first letter as browsers tell it
/// (Unicode Standard Annex #9, rules P2 and P3).
///
/// Notion does not say it: its editor finds it for every block. Pages are laid out from left to
/// right, so that only those with letters of another script need to say anything.
enum WritingDirection: String, Sendable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"

  /// `nil` for words without a letter, which go with what is around them.
  init?(_ text: some StringProtocol) {
    guard let letter = text.unicodeScalars.first(where: \.properties.isAlphabetic) else {
      return nil
    }
    self = WritingDirection.isRightToLeft(letter) ? .rightToLeft : .leftToRight
  }

  /// `rtl` for words that go from right to left, for an element inside what goes from left to right.
  static func exception(_ text: some StringProtocol) -> String? {
    WritingDirection(text) == .rightToLeft ? WritingDirection.rightToLeft.rawValue : nil
  }

  /// Whether any letter belongs to a script that is written from right to left.
  static func isMixed(_ text: some StringProtocol) -> Bool {
    // Latin text, which most is, is done with after a look at its bytes.
    text.utf8.contains { $0 >= 0xD6 } && text.unicodeScalars.contains(where: isRightToLeft)
  }

  /// The blocks of Unicode set aside for such scripts, Hebrew and Arabic first.
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
  /// Whether the words of any block go from right to left, so that every block has to say how its go.
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
  /// The direction of words, where a page has both.
  func direction(_ text: [RichText]) -> String? {
    direction(text.map(\.plain).joined())
  }

  func direction(_ text: String) -> String? {
    hasBothDirections ? WritingDirection(text)?.rawValue : nil
  }

  /// The direction of a block's own words; code and formulas go from left to right everywhere.
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
