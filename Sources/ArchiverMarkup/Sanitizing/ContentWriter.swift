/// Writes a stream of blocks, inline elements and text as HTML that all parsers read identically.
///
/// Invariants:
/// 1. An inline element is opened only when content follows, and is closed before any block tag;
///    it opens again inside the block. Thus inline elements never contain blocks.
/// 2. A paragraph is written only when it has content; a block inside it interrupts it.
/// 3. White space outside `pre` is one space or line feed between two pieces of content, nothing else;
///    what a style preserves becomes `br` and spaces that do not break.
/// 4. Elements of tables and lists stand only where the content model wants them; what is missing
///    in between is supplied.
struct ContentWriter {
  var output: [UInt8] = []
  var text = PlainTextCollector()
  var headings: [HeadingRecord] = []
  var usedIDs: Set<String> = []

  var blocks: [OpenBlock]
  var inlines: [ActiveInline] = []
  /// The number of elements of `inlines`, from the first, that are open in the output.
  var openInlines = 0
  var serial = 0
  /// The last suffix of each heading slug.
  var slugCounts: [String: Int] = [:]
  var pendingSpace: UInt8?
  var lineHasContent = false
  /// How white space outside `pre` is treated.
  var whiteSpace = WhiteSpace.collapsed
  /// Line breaks and spaces to write before the next content.
  var heldLines = 0
  var heldSpaces = 0
  /// The remaining budget in bytes for reopening inline elements.
  var reopeningBudget: Int

  /// The number of elements whose tags were left out because of the limit on nesting.
  var lostElements = 0

  /// The placeholder of a `br` where a space may be pending.
  static let lineBreak: UInt8 = 0xFF
  static let deepestBlock = 200
  static let deepestInline = 24

  init() {
    blocks = [OpenBlock(serial: 0, name: "", kind: .root, attributes: ElementAttributes())]
    blocks[0].isWritten = true
    reopeningBudget = 1 << 20
  }

  /// Allocates memory for the content of an input of this size in bytes, unless some was written.
  mutating func reserve(_ inputSize: Int) {
    guard output.isEmpty else { return }
    output.reserveCapacity(inputSize)
    text.reserve(inputSize)
  }

  var top: OpenBlock { blocks[blocks.count - 1] }
}

extension ContentWriter {
  /// Opens a block and returns the number with which to close it; `nil` if its tags are left out.
  mutating func openBlock(
    _ name: String, _ kind: BlockKind, _ attributes: ElementAttributes = ElementAttributes()
  ) -> Int? {
    if kind == .table { endHeading() }
    guard let place = findPlace(for: kind) else { return nil }
    let isMisplaced = place == .division
    let (name, kind) = isMisplaced ? ("div", BlockKind.division) : (name, kind)
    // Attributes of a cell or an item are invalid on its replacement.
    let attributes = isMisplaced ? ElementAttributes(id: attributes.id) : attributes
    let isTooDeep = !top.kind.isFlat && depth(of: kind) > ContentWriter.deepestBlock
    if isTooDeep { lostElements += 1 }
    guard !top.kind.isFlat, !isTooDeep else {
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

  /// Ends a heading around a table, in which the table would lose its rows.
  private mutating func endHeading() {
    if top.kind == .heading { closeBlocks(downTo: blocks.count - 1) }
  }

  /// Returns the depth of a block, including required elements between it and its parent.
  private func depth(of kind: BlockKind) -> Int {
    guard kind != .caption, kind != .columnGroup, !isStructural(kind) else {
      return blocks.count + 1
    }
    var depth = blocks.count + 1
    var outer = top.kind
    while let (_, implied) = outer.impliedChild {
      depth += 1
      outer = implied
    }
    return depth
  }

  /// Closes a block and everything open inside; no-op if it is closed already.
  mutating func closeBlock(_ serial: Int) {
    guard let index = blocks.lastIndex(where: { $0.serial == serial }) else { return }
    closeBlocks(downTo: index)
  }

  /// Separates adjacent content if a block's tags are left out.
  mutating func separate() {
    guard top.isWritten, output.count > top.contentStart else { return }
    if top.kind == .preformatted {
      if output.last != 0x0A { output.append(0x0A) }
      text.breakBlock()
    } else if lineHasContent, heldLines + heldSpaces == 0 {
      if pendingSpace == nil { pendingSpace = 0x20 }
      text.breakWord()
    }
  }

  /// Puts the next content on a new line, if it is in the same block.
  mutating func endLine() {
    if top.kind == .preformatted { return separate() }
    guard top.isWritten, lineHasContent, heldLines == 0 else { return }
    heldSpaces = 0
    pendingSpace = ContentWriter.lineBreak
    text.breakBlock()
  }

  /// Closes everything.
  mutating func finish() {
    closeBlocks(downTo: 1)
    closeInlines()
    inlines.removeAll()
    if output.last == 0x0A { output.removeLast() }
  }

  enum Place {
    case own, division
  }

  func isStructural(_ kind: BlockKind) -> Bool {
    switch kind {
    case .item, .term, .definition, .rowGroup, .row, .cell: true
    default: false
    }
  }

  mutating func push(
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

  mutating func writeStart() {
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

  mutating func writeID(_ id: String?) {
    if let id { output.appendAttribute("id", id) }
  }

  mutating func closeBlocks(downTo index: Int) {
    while blocks.count > index, blocks.count > 1 { closeTop() }
  }

  mutating func closeTop() {
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

  /// Keeps the line break of a removed block between two pieces of text.
  mutating func keepLineBreak(_ block: OpenBlock) {
    guard block.followsText else { return }
    lineHasContent = true
    pendingSpace = ContentWriter.lineBreak
  }

  mutating func record(_ block: OpenBlock) {
    headings.append(
      HeadingRecord(
        level: Int(block.name.utf8.last ?? 0x32) - 0x30, id: block.attributes.id,
        text: text.words(from: block.textStart), startDigit: block.start + 2,
        endDigit: output.count - 1))
  }

  mutating func interruptParagraph() {
    guard top.kind == .paragraph, top.isWritten else { return }
    output += "</p>\n".utf8
    blocks[blocks.count - 1].isWritten = false
  }

  mutating func breakLine() {
    pendingSpace = nil
    heldLines = 0
    heldSpaces = 0
    lineHasContent = false
    text.breakBlock()
  }
}
