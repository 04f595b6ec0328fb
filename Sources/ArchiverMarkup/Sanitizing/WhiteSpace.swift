/// How white space of the source is treated (CSS Text Module Level 3, section 3).
enum WhiteSpace {
  /// Runs become one space.
  case collapsed
  /// Line feeds and all spaces stay.
  case preserved
  /// Line feeds stay, runs of spaces become one.
  case lines

  /// Parses the value of a `white-space` property; `nil` if it does not concern lines and spaces.
  init?(_ value: String) {
    switch value {
    case "normal", "nowrap", "collapse": self = .collapsed
    case "pre", "pre-wrap", "break-spaces", "preserve": self = .preserved
    case "pre-line", "preserve-breaks": self = .lines
    default: return nil
    }
  }
}

// White space that a style preserves, without the style.
extension ContentWriter {
  /// The maximum length of a run of spaces or empty lines.
  private static let longestRun = 100
  private static let tabWidth = 4

  mutating func writePreserved(_ piece: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for (index, byte) in piece.enumerated() where TextByte.isSpace(byte) {
      writeFlowing(UnsafeBufferPointer(rebasing: piece[start..<index]))
      start = index + 1
      switch byte {
      case 0x0A: holdLine()
      case 0x0D: break
      case _ where whiteSpace == .lines: noteSpace(0x20)
      default: hold(byte == 0x09 ? ContentWriter.tabWidth : 1)
      }
    }
    writeFlowing(UnsafeBufferPointer(rebasing: piece[start...]))
  }

  /// Line feeds before the first content and after the last are not visible.
  private mutating func holdLine() {
    heldSpaces = 0
    guard lineHasContent else { return }
    pendingSpace = nil
    heldLines = min(heldLines + 1, ContentWriter.longestRun)
    text.breakBlock()
  }

  private mutating func hold(_ count: Int) {
    // Between block tags, white space is the source's indentation.
    guard top.kind.impliedChild == nil else { return }
    if let space = pendingSpace, space != ContentWriter.lineBreak {
      pendingSpace = nil
      heldSpaces += 1
      text.takeBackBreak()
    }
    heldSpaces = min(heldSpaces + count, ContentWriter.longestRun)
  }

  mutating func writeHeld() {
    for _ in 0..<heldLines { output += "<br>".utf8 }
    if heldLines > 0 { lineHasContent = false }
    heldLines = 0
    let unbroken = lineHasContent ? heldSpaces - 1 : heldSpaces
    for _ in 0..<max(unbroken, 0) {
      output += [0xC2, 0xA0]
      text.append(0xC2)
      text.append(0xA0)
    }
    if lineHasContent, heldSpaces > 0 {
      output.append(0x20)
      text.breakWord()
    }
    heldSpaces = 0
  }
}
