// Inline content.
extension ContentWriter {
  /// Puts an inline element into effect; `nil` if it has no effect or too many are in effect. A link is
  /// never one too many, because its address would be lost.
  mutating func openInline(
    _ name: String, _ attributes: ElementAttributes = ElementAttributes()
  ) -> Int? {
    guard inlines.count < ContentWriter.deepestInline || name == "a" && !isActive("a") else {
      lostElements += 1
      return nil
    }
    serial += 1
    var inline = ActiveInline(serial: serial, name: name, attributes: attributes)
    inline.isForAnchorOnly =
      attributes.bytes.isEmpty && (name == "span" || isPlainlyActive(name))
    inlines.append(inline)
    return serial
  }

  mutating func closeInline(_ serial: Int) {
    guard let index = inlines.lastIndex(where: { $0.serial == serial }) else { return }
    if !inlines[index].wasWritten, inlines[index].attributes.id != nil { beginInlineContent() }
    closeInlines(downTo: index)
    inlines.removeSubrange(index...)
  }

  /// Whether an inline element with this name is in effect.
  func isActive(_ name: String) -> Bool {
    inlines.contains { $0.name == name }
  }

  /// Whether inline content is allowed here without an implied element.
  var canHoldInline: Bool { top.kind.impliedChild == nil }

  var canHoldBlock: Bool { !top.kind.isFlat }

  var innermostInline: String? { inlines.last?.name }

  /// Whether an element that has no effect when nested in itself is in effect without attributes.
  func isPlainlyActive(_ name: String) -> Bool {
    inlines.contains { $0.name == name && $0.attributes.bytes.isEmpty }
  }

  /// Writes an inline element as a unit and returns its range in the output.
  mutating func writeAtom(_ bytes: [UInt8]) -> Range<Int> {
    beginInlineContent()
    let start = output.count
    output += bytes
    lineHasContent = true
    return start..<output.count
  }

  /// Writes a block as a unit.
  mutating func writeBlockAtom(_ bytes: [UInt8]) {
    guard !top.kind.isFlat else { return separate() }
    closeInlines()
    breakLine()
    interruptParagraph()
    supplyContainer()
    output += bytes
    output.append(0x0A)
  }

  /// Replaces what `writeAtom` wrote; no text may have been written since, only tags.
  mutating func replaceAtom(_ range: Range<Int>, with bytes: [UInt8]) -> Range<Int> {
    output.replaceSubrange(range, with: bytes)
    let growth = bytes.count - range.count
    for index in blocks.indices where blocks[index].contentStart >= range.upperBound {
      blocks[index].start += growth
      blocks[index].contentStart += growth
    }
    for index in headings.indices.reversed() {
      guard headings[index].startDigit >= range.upperBound else { break }
      headings[index].startDigit += growth
      headings[index].endDigit += growth
    }
    return range.lowerBound..<(range.lowerBound + bytes.count)
  }

  mutating func breakLineElement() {
    pendingSpace = nil
    heldSpaces = 0
    beginInlineContent()
    output += "<br>".utf8
    lineHasContent = false
    text.breakBlock()
  }

  /// Returns and reserves the id if no other element has it.
  mutating func claim(_ id: String?) -> String? {
    guard let id, usedIDs.insert(id).inserted else { return nil }
    return id
  }

  /// Writes the anchor of an element that is not written itself; its id is reserved.
  mutating func writeClaimedAnchor(_ id: String) {
    guard inlines.count < ContentWriter.deepestInline else { return }
    beginInlineContent()
    output += "<span".utf8
    output.appendAttribute("id", id)
    output += "></span>".utf8
  }

  /// Keeps the anchor of an element without tags, as a possible link target.
  mutating func noteAnchor(_ id: String) {
    guard top.kind.impliedChild == nil, let id = claim(id) else { return }
    writeClaimedAnchor(id)
  }

  /// Writes a line break opportunity.
  mutating func writeWordBreak() {
    guard lineHasContent, pendingSpace == nil, heldLines + heldSpaces == 0 else { return }
    beginInlineContent()
    output += "<wbr>".utf8
  }

  mutating func write(_ piece: UnsafeBufferPointer<UInt8>) {
    if top.kind == .preformatted {
      writePreformatted(piece)
    } else if whiteSpace != .collapsed {
      writePreserved(piece)
    } else {
      writeFlowing(piece)
    }
  }

  mutating func write(_ string: String) {
    var copy = string
    copy.withUTF8 { write($0) }
  }

  /// Adds text of a unit, such as a formula, to the plain text.
  mutating func addPlain(_ string: String) {
    for byte in string.utf8 { text.append(byte) }
  }

  mutating func writeFlowing(_ piece: UnsafeBufferPointer<UInt8>) {
    var index = 0
    while index < piece.count {
      let byte = piece[index]
      if TextByte.isSpace(byte) {
        noteSpace(byte)
        index += 1
        continue
      }
      if byte < 0x20 || byte == 0x7F {
        index += 1
        continue
      }
      beginInlineContent()
      lineHasContent = true
      if TextByte.isPlain(byte) {
        let end = plainRun(piece, from: index)
        let run = UnsafeBufferPointer(rebasing: piece[index..<end])
        output.append(contentsOf: run)
        text.append(run)
        index = end
      } else {
        output.appendEscapedText(byte)
        text.append(byte)
        index += 1
      }
    }
  }

  /// Returns the end of a run of plain bytes and single spaces between them.
  func plainRun(_ piece: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var index = start
    while index < piece.count {
      let byte = piece[index]
      if TextByte.isPlain(byte) {
        index += 1
      } else if byte == 0x20, index + 1 < piece.count, TextByte.isPlain(piece[index + 1]) {
        index += 2
      } else {
        break
      }
    }
    return index
  }

  mutating func noteSpace(_ byte: UInt8) {
    guard lineHasContent, pendingSpace != ContentWriter.lineBreak, heldLines + heldSpaces == 0
    else { return }
    if byte == 0x0A || byte == 0x0D {
      pendingSpace = 0x0A
    } else if pendingSpace == nil {
      pendingSpace = 0x20
    }
    text.breakWord()
  }

  mutating func writePreformatted(_ piece: UnsafeBufferPointer<UInt8>) {
    for (index, byte) in piece.enumerated() {
      var byte = byte
      if byte == 0x0D {
        if index + 1 < piece.count, piece[index + 1] == 0x0A { continue }
        byte = 0x0A
      }
      // HTML parsers drop a line feed at the start of pre, each time they read it.
      if byte == 0x0A, output.count == top.contentStart { continue }
      if byte == 0x7F || byte < 0x20 && byte != 0x0A && byte != 0x09 { continue }
      beginInlineContent()
      output.appendEscapedText(byte)
      if byte == 0x0A { text.breakBlock() } else { text.append(byte) }
      lineHasContent = true
    }
  }

  mutating func beginInlineContent() {
    supplyContainer()
    if !top.isWritten { writeStart() }
    if let space = pendingSpace {
      pendingSpace = nil
      if space == ContentWriter.lineBreak {
        output += "<br>".utf8
        lineHasContent = false
      } else {
        output.append(space)
      }
    }
    if heldLines + heldSpaces > 0 { writeHeld() }
    if openInlines < inlines.count { reopenInlines() }
  }

  mutating func reopenInlines() {
    for index in openInlines..<inlines.count {
      if inlines[index].wasWritten { reopeningBudget -= 5 + inlines[index].attributes.bytes.count }
      guard reopeningBudget > 0 || !inlines[index].wasWritten else {
        lostElements += inlines.count - index
        inlines.removeSubrange(index...)
        openInlines = index
        return
      }
      inlines[index].isSilent = inlines[index].wasWritten && inlines[index].isForAnchorOnly
      if inlines[index].isSilent { continue }
      output.append(0x3C)
      output += inlines[index].name.utf8
      if !inlines[index].wasWritten { writeID(inlines[index].attributes.id) }
      output += inlines[index].attributes.bytes
      output.append(0x3E)
      inlines[index].wasWritten = true
      text.note(start: inlines[index].name)
    }
    openInlines = inlines.count
  }

  mutating func closeInlines(downTo count: Int = 0) {
    while openInlines > count {
      openInlines -= 1
      if inlines[openInlines].isSilent { continue }
      output += "</".utf8
      output += inlines[openInlines].name.utf8
      output.append(0x3E)
      text.note(end: inlines[openInlines].name)
    }
  }
}
