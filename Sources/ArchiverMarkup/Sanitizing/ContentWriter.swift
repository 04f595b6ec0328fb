/// Writes a stream of blocks, inline elements and text as HTML that every parser reads alike.
///
/// Invariants:
/// 1. An inline element is opened only when content follows, and is closed before any block tag;
///    it opens again inside the block. Thus inline elements never contain blocks.
/// 2. A paragraph is written only when it has content; a block inside it interrupts it.
/// 3. White space outside `pre` is one space or line feed between two pieces of content, nothing else.
/// 4. Elements of tables and lists stand only where the content model wants them; what is missing
///    in between is supplied.
struct ContentWriter {
  private(set) var output: [UInt8] = []
  private(set) var text = PlainTextCollector()
  private(set) var headings: [HeadingRecord] = []
  private(set) var usedIDs: Set<String> = []

  private var blocks: [OpenBlock]
  private var inlines: [ActiveInline] = []
  /// How many of `inlines`, from the first, are open in the output.
  private var openInlines = 0
  private var serial = 0
  /// The last number given to each heading slug.
  private var slugCounts: [String: Int] = [:]
  private var pendingSpace: UInt8?
  private var lineHasContent = false
  /// Bytes that may still be spent on opening inline elements again.
  private var reopeningBudget: Int

  /// Stands for a `br` where a space may be pending.
  private static let lineBreak: UInt8 = 0xFF
  static let deepestBlock = 200
  static let deepestInline = 24

  init(inputSize: Int = 0) {
    blocks = [OpenBlock(serial: 0, name: "", kind: .root, attributes: ElementAttributes())]
    blocks[0].isWritten = true
    reopeningBudget = 1 << 20
    output.reserveCapacity(inputSize)
  }

  private var top: OpenBlock { blocks[blocks.count - 1] }
}

/// Where a heading stands in the output, so that its level and id can be settled at the end.
struct HeadingRecord {
  var level: Int
  var id: String?
  var text: String
  /// Offset of the level's digit in the start tag and in the end tag.
  var startDigit: Int
  var endDigit: Int
}

extension ContentWriter {
  /// Opens a block and returns what to close it with; `nil` when its tags are left out.
  mutating func openBlock(
    _ name: String, _ kind: BlockKind, _ attributes: ElementAttributes = ElementAttributes()
  ) -> Int? {
    guard let place = findPlace(for: kind) else { return nil }
    let isMisplaced = place == .division
    let (name, kind) = isMisplaced ? ("div", BlockKind.division) : (name, kind)
    // The attributes of a cell or an item mean nothing on what replaces it.
    let attributes = isMisplaced ? ElementAttributes(id: attributes.id) : attributes
    guard !top.kind.isFlat, blocks.count < ContentWriter.deepestBlock else {
      separate()
      if let id = attributes.id { writeClaimedAnchor(id) }
      return nil
    }
    let line = lineHasContent
    closeInlines()
    breakLine()
    interruptParagraph()
    if kind != .caption && kind != .columnGroup && !isStructural(kind) { supplyContainer() }
    return push(name, kind, attributes, afterText: line)
  }

  /// Closes a block and all that is still open inside; does nothing when it is closed already.
  mutating func closeBlock(_ serial: Int) {
    guard let index = blocks.lastIndex(where: { $0.serial == serial }) else { return }
    closeBlocks(downTo: index)
  }

  /// Keeps what comes apart from what was, where a block's own tags are left out.
  mutating func separate() {
    guard top.isWritten, output.count > top.contentStart else { return }
    if top.kind == .preformatted {
      if output.last != 0x0A { output.append(0x0A) }
      text.breakBlock()
    } else if lineHasContent {
      if pendingSpace == nil { pendingSpace = 0x20 }
      text.breakWord()
    }
  }

  /// Closes everything.
  mutating func finish() {
    closeBlocks(downTo: 1)
    closeInlines()
    inlines.removeAll()
    if output.last == 0x0A { output.removeLast() }
  }

  private enum Place {
    case own, division
  }

  private func isStructural(_ kind: BlockKind) -> Bool {
    switch kind {
    case .item, .term, .definition, .rowGroup, .row, .cell: true
    default: false
    }
  }

  private mutating func push(
    _ name: String, _ kind: BlockKind, _ attributes: ElementAttributes, implied: Bool = false,
    afterText: Bool = false
  ) -> Int {
    serial += 1
    var block = OpenBlock(serial: serial, name: name, kind: kind, attributes: attributes)
    block.isImplied = implied
    block.followsText = afterText
    blocks.append(block)
    if kind != .paragraph { writeStart() }
    return serial
  }

  private mutating func writeStart() {
    let last = blocks.count - 1
    blocks[last].start = output.count
    output.append(0x3C)
    output += blocks[last].name.utf8
    if !blocks[last].wasWritten { writeID(blocks[last].attributes.id) }
    output += blocks[last].attributes.bytes
    output.append(0x3E)
    if blocks[last].kind == .table || blocks[last].kind == .list { output.append(0x0A) }
    blocks[last].contentStart = output.count
    blocks[last].textStart = text.count
    blocks[last].isWritten = true
    blocks[last].wasWritten = true
    lineHasContent = false
    pendingSpace = nil
  }

  private mutating func writeID(_ id: String?) {
    if let id { output.appendAttribute("id", id) }
  }

  private mutating func closeBlocks(downTo index: Int) {
    while blocks.count > index, blocks.count > 1 { closeTop() }
  }

  private mutating func closeTop() {
    closeInlines()
    breakLine()
    if top.kind == .paragraph, !top.wasWritten, top.attributes.id != nil { writeStart() }
    let block = blocks.removeLast()
    guard block.isWritten else {
      if !block.wasWritten { keepLineBreak(block) }
      return
    }
    let isEmpty = output.count == block.contentStart
    if isEmpty, block.attributes.isEmpty, block.kind.vanishesWhenEmpty || block.isImplied {
      output.removeSubrange(block.start...)
      keepLineBreak(block)
      return
    }
    output += "</".utf8
    output += block.name.utf8
    if block.kind == .heading { record(block) }
    output += ">\n".utf8
  }

  /// Keeps the line break that a vanished block stood for between two pieces of text.
  private mutating func keepLineBreak(_ block: OpenBlock) {
    guard block.followsText else { return }
    lineHasContent = true
    pendingSpace = ContentWriter.lineBreak
  }

  private mutating func record(_ block: OpenBlock) {
    headings.append(
      HeadingRecord(
        level: Int(block.name.utf8.last ?? 0x32) - 0x30, id: block.attributes.id,
        text: text.words(from: block.textStart), startDigit: block.start + 2,
        endDigit: output.count - 1))
  }

  private mutating func interruptParagraph() {
    guard top.kind == .paragraph, top.isWritten else { return }
    output += "</p>\n".utf8
    blocks[blocks.count - 1].isWritten = false
  }

  private mutating func breakLine() {
    pendingSpace = nil
    lineHasContent = false
    text.breakBlock()
  }
}

// The places of list and table elements, after the tree construction rules of HTML's standard.
extension ContentWriter {
  private mutating func findPlace(for kind: BlockKind) -> Place? {
    switch kind {
    case .item: return findListPlace(owner: .list, siblings: [.item])
    case .term, .definition:
      return findListPlace(owner: .definitionList, siblings: [.term, .definition])
    case .rowGroup, .caption, .columnGroup:
      guard let table = nearestTable() else { return nil }
      closeBlocks(downTo: table + 1)
    case .row:
      guard let table = nearestTable() else { return .division }
      if blocks.count > table + 1, blocks[table + 1].kind == .rowGroup {
        closeBlocks(downTo: table + 2)
      } else {
        closeBlocks(downTo: table + 1)
        supply("tbody", .rowGroup)
      }
    case .cell:
      guard let table = nearestTable() else { return .division }
      findCellPlace(table)
    case .summary:
      guard let last = blocks.lastIndex(where: { $0.kind != .paragraph }),
        blocks[last].kind == .details, output.count == blocks[last].contentStart
      else { return .division }
    default: break
    }
    return .own
  }

  private mutating func findListPlace(owner: BlockKind, siblings: [BlockKind]) -> Place {
    for index in blocks.indices.reversed() {
      let kind = blocks[index].kind
      if kind == owner {
        closeBlocks(downTo: index + 1)
        return .own
      }
      if siblings.contains(kind) {
        closeBlocks(downTo: index)
        return .own
      }
      guard kind == .paragraph || kind == .division || kind.isFlat && kind != .caption else {
        return .division
      }
    }
    return .division
  }

  private func nearestTable() -> Int? {
    blocks.lastIndex { $0.kind == .table }
  }

  private mutating func findCellPlace(_ table: Int) {
    if blocks.count > table + 2, blocks[table + 2].kind == .row {
      closeBlocks(downTo: table + 3)
    } else if blocks.count > table + 1, blocks[table + 1].kind == .rowGroup {
      closeBlocks(downTo: table + 2)
      supply("tr", .row)
    } else {
      closeBlocks(downTo: table + 1)
      supply("tbody", .rowGroup)
      supply("tr", .row)
    }
  }

  private mutating func supply(_ name: String, _ kind: BlockKind) {
    closeInlines()
    interruptParagraph()
    _ = push(name, kind, ElementAttributes(), implied: true)
  }

  /// Opens what must stand between a list or table and the content about to be written.
  private mutating func supplyContainer() {
    if top.kind == .columnGroup { closeTop() }
    while let (name, kind) = top.kind.impliedChild { supply(name, kind) }
  }

  /// Writes a `col`, supplying its group.
  mutating func writeColumn(_ attributes: ElementAttributes) {
    guard let table = nearestTable() else { return }
    if blocks.count != table + 2 || top.kind != .columnGroup {
      closeBlocks(downTo: table + 1)
      supply("colgroup", .columnGroup)
    }
    output += "<col".utf8
    output += attributes.bytes
    output.append(0x3E)
  }
}

// Inline content.
extension ContentWriter {
  /// Puts an inline element in force; `nil` when it changes nothing or too many are in force.
  mutating func openInline(
    _ name: String, _ attributes: ElementAttributes = ElementAttributes()
  ) -> Int? {
    guard inlines.count < ContentWriter.deepestInline else { return nil }
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

  /// Whether an inline element of this name is in force.
  func isActive(_ name: String) -> Bool {
    inlines.contains { $0.name == name }
  }

  var innermostInline: String? { inlines.last?.name }

  /// Whether an element that adds nothing when nested in itself is in force without attributes.
  func isPlainlyActive(_ name: String) -> Bool {
    inlines.contains { $0.name == name && $0.attributes.bytes.isEmpty }
  }

  /// Writes an element without inner structure in the line and returns its range in the output.
  mutating func writeAtom(_ bytes: [UInt8]) -> Range<Int> {
    beginInlineContent()
    let start = output.count
    output += bytes
    lineHasContent = true
    return start..<output.count
  }

  /// Writes a block that has no inner structure.
  mutating func writeBlockAtom(_ bytes: [UInt8]) {
    guard !top.kind.isFlat else { return separate() }
    closeInlines()
    breakLine()
    interruptParagraph()
    supplyContainer()
    output += bytes
    output.append(0x0A)
  }

  /// Replaces the end of the output, which must be what `writeAtom` wrote last.
  mutating func replaceAtom(_ range: Range<Int>, with bytes: [UInt8]) -> Range<Int> {
    output.replaceSubrange(range, with: bytes)
    return range.lowerBound..<output.count
  }

  mutating func breakLineElement() {
    pendingSpace = nil
    beginInlineContent()
    output += "<br>".utf8
    lineHasContent = false
    text.breakBlock()
  }

  /// Returns the id when no other element has it, and gives it away.
  mutating func claim(_ id: String?) -> String? {
    guard let id, usedIDs.insert(id).inserted else { return nil }
    return id
  }

  /// Writes the anchor of an element that itself leaves no trace; the id is claimed already.
  mutating func writeClaimedAnchor(_ id: String) {
    var bytes = Array("<a".utf8)
    bytes.appendAttribute("id", id)
    bytes += "></a>".utf8
    _ = writeAtom(bytes)
  }

  /// Keeps the anchor of an element without tags when something may link to it.
  mutating func noteAnchor(_ id: String) {
    guard top.kind.impliedChild == nil, let id = claim(id) else { return }
    writeClaimedAnchor(id)
  }

  /// Writes a place where a word may be broken.
  mutating func writeWordBreak() {
    guard lineHasContent, pendingSpace == nil else { return }
    beginInlineContent()
    output += "<wbr>".utf8
  }

  mutating func write(_ piece: UnsafeBufferPointer<UInt8>) {
    if top.kind == .preformatted {
      writePreformatted(piece)
    } else {
      writeFlowing(piece)
    }
  }

  mutating func write(_ string: String) {
    var copy = string
    copy.withUTF8 { write($0) }
  }

  /// Adds words of an atom, such as a formula, to the plain text.
  mutating func addPlain(_ string: String) {
    for byte in string.utf8 { text.append(byte) }
  }

  private mutating func writeFlowing(_ piece: UnsafeBufferPointer<UInt8>) {
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
  private func plainRun(_ piece: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
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

  private mutating func noteSpace(_ byte: UInt8) {
    guard lineHasContent, pendingSpace != ContentWriter.lineBreak else { return }
    if byte == 0x0A || byte == 0x0D {
      pendingSpace = 0x0A
    } else if pendingSpace == nil {
      pendingSpace = 0x20
    }
    text.breakWord()
  }

  private mutating func writePreformatted(_ piece: UnsafeBufferPointer<UInt8>) {
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

  private mutating func beginInlineContent() {
    supplyContainer()
    if !top.isWritten { writeStart() }
    if let space = pendingSpace {
      pendingSpace = nil
      if space == ContentWriter.lineBreak { output += "<br>".utf8 } else { output.append(space) }
    }
    if openInlines < inlines.count { reopenInlines() }
  }

  private mutating func reopenInlines() {
    for index in openInlines..<inlines.count {
      if inlines[index].wasWritten { reopeningBudget -= 5 + inlines[index].attributes.bytes.count }
      guard reopeningBudget > 0 || !inlines[index].wasWritten else {
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
    }
    openInlines = inlines.count
  }

  private mutating func closeInlines(downTo count: Int = 0) {
    while openInlines > count {
      openInlines -= 1
      if inlines[openInlines].isSilent { continue }
      output += "</".utf8
      output += inlines[openInlines].name.utf8
      output.append(0x3E)
    }
  }
}

// The last touches on headings.
extension ContentWriter {
  /// Gives headings their final levels and ids; call after `finish`.
  mutating func settleHeadings(demote: Bool) {
    if demote, headings.contains(where: { $0.level == 1 }) {
      for index in headings.indices {
        headings[index].level = min(headings[index].level + 1, 6)
        let digit = UInt8(0x30 + headings[index].level)
        output[headings[index].startDigit] = digit
        output[headings[index].endDigit] = digit
      }
    }
    insertMissingIDs()
  }

  private mutating func insertMissingIDs() {
    guard headings.contains(where: { $0.id == nil }) else { return }
    var result = [UInt8]()
    result.reserveCapacity(output.count + headings.count * 24)
    var copied = 0
    for index in headings.indices where headings[index].id == nil {
      let id = freshID(headings[index].text)
      headings[index].id = id
      let position = headings[index].startDigit + 1
      result += output[copied..<position]
      result.appendAttribute("id", id)
      copied = position
    }
    result += output[copied...]
    output = result
  }

  private mutating func freshID(_ text: String) -> String {
    let stem = SafeIdentifier.slug(text)
    var id = stem
    var number = slugCounts[stem] ?? 1
    while !usedIDs.insert(id).inserted {
      number += 1
      id = "\(stem)-\(number)"
    }
    slugCounts[stem] = number
    return id
  }
}
