/// The standard's tree construction, without scripting.
///
/// At most `maximumDepth` elements are open at a time: deeper ones are inserted under the deepest
/// one, in order. This bounds every search among the open elements.
struct HTMLTreeBuilder: ~Copyable {
  enum Mode {
    case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody, text, inTable
    case inTableText, inCaption, inColumnGroup, inTableBody, inRow, inCell, inTemplate, afterBody
    case inFrameset, afterFrameset, afterAfterBody, afterAfterFrameset
  }

  /// The result of processing a token.
  enum Step {
    case done
    /// The token is processed again in the new insertion mode.
    case again
  }

  static let maximumDepth = 512
  /// The maximum number of formatting elements recorded after a marker.
  static let maximumFormatting = 256

  var tokenizer: HTMLTokenizer
  var tree: HTMLTree
  var mode = Mode.initial
  var originalMode = Mode.initial
  var templateModes: [Mode] = []
  /// The open elements, innermost last.
  var open: [Int32] = []
  /// The frequently examined properties of the open elements.
  var kinds: [HTMLOpenKind] = []
  /// The number of HTML elements in `open` for each tag.
  var openCounts = [Int32](repeating: 0, count: 256)
  /// Open elements between the last two of `open`, innermost last.
  var hidden: [Int32] = []
  /// The active formatting elements; 0 is a marker.
  var formatting: [Int32] = []
  var head: Int32 = 0
  var form: Int32 = 0
  /// The context element of a fragment; 0 for a document.
  var context: Int32 = 0
  var mayHaveFrameset = true
  var isQuirky = false
  var usesFosterParent = false
  var skipsLineFeed = false
  /// Pending text in a table, until it is known whether it is white space.
  var tableText: [HTMLSlice] = []
  /// The remaining budget for reconstructed formatting elements, whose memory is not proportional
  /// to the input.
  var copiesLeft: Int
  /// Whether `<name/>` is an empty element for all names.
  var closesEmptyTags = false

  var token = HTMLTokenizer.Token.end
  /// The text of the token, possibly without leading white space.
  var text = HTMLSlice.empty
  let input: UnsafeBufferPointer<UInt8>

  init(_ tree: HTMLTree, _ input: UnsafeBufferPointer<UInt8>) {
    self.tree = tree
    self.input = input
    tokenizer = HTMLTokenizer(input, names: tree.names)
    copiesLeft = 10_000 + input.count / 8
  }

  /// Processes all tokens.
  mutating func build() {
    while true {
      tokenizer.allowsCDATA = !open.isEmpty && tree[adjustedCurrent].namespace != .html
      token = tokenizer.next()
      if token == .text {
        text = tokenizer.slice
        if skipsLineFeed, byte(text.start) == 0x0A {
          text.start += 1
          text.count -= 1
        }
        skipsLineFeed = false
        if text.count == 0 { continue }
      } else {
        skipsLineFeed = false
      }
      while dispatch() == .again {}
      if closesEmptyTags { closeEmptyTag() }
      if token == .end { break }
    }
    tree.side = tokenizer.side
    tree.names = tokenizer.names
    for node in open + hidden { tree[node].isOpen = false }
  }

  /// Closes the HTML element that was just opened by `<name/>`.
  private mutating func closeEmptyTag() {
    guard token == .startTag, tokenizer.isSelfClosing, let last = open.last,
      tree[last].namespace == .html, tree[last].name == tokenizer.name,
      tree[last].firstChild == 0, tag != .html, tag != .body
    else { return }
    tokenizer.content = .data
    skipsLineFeed = false
    token = .endTag
    while dispatch() == .again {}
  }

  var tag: HTMLTag { tokenizer.tag }

  /// Returns a byte of the input or of `side`.
  @inline(__always)
  func byte(_ index: Int) -> UInt8 {
    index < input.count ? input[index] : tokenizer.side[index - input.count]
  }

  private mutating func dispatch() -> Step {
    isForeign ? foreign() : step(mode)
  }

  mutating func step(_ mode: Mode) -> Step {
    switch mode {
    case .inBody: inBody()
    case .text: inText()
    case .initial: initial()
    case .beforeHTML: beforeHTML()
    case .beforeHead: beforeHead()
    case .inHead: inHead()
    case .inHeadNoscript: inHeadNoscript()
    case .afterHead: afterHead()
    case .inTable: inTable()
    case .inTableText: inTableText()
    case .inCaption: inCaption()
    case .inColumnGroup: inColumnGroup()
    case .inTableBody: inTableBody()
    case .inRow: inRow()
    case .inCell: inCell()
    case .inTemplate: inTemplate()
    case .afterBody: afterBody()
    case .inFrameset: inFrameset()
    case .afterFrameset: afterFrameset()
    case .afterAfterBody: afterAfterBody()
    case .afterAfterFrameset: afterAfterFrameset()
    }
  }

  /// Whether the rules for foreign content apply to the token.
  private var isForeign: Bool {
    guard !open.isEmpty, token != .end else { return false }
    let node = tree[adjustedCurrent]
    if node.namespace == .html { return false }
    let isText = token == .text || token == .nul
    if node.namespace == .mathML {
      switch node.tag {
      case .mi, .mo, .mn, .ms, .mtext:
        if isText { return false }
        if token == .startTag, tag != .mglyph, tag != .malignmark { return false }
      case .annotationXML:
        if token == .startTag, tag == .svg { return false }
      default: break
      }
    }
    if node.isIntegrationPoint, isText || token == .startTag { return false }
    return true
  }

  // MARK: Text

  /// Inserts leading white space of the text at `place`, or drops it; returns false if no other
  /// text is left.
  mutating func takeSpace(_ takes: (inout Self, HTMLSlice) -> Void = { _, _ in }) -> Bool {
    var count = 0
    while count < text.count, HTMLTokenizer.isSpace(byte(text.start + count)) { count += 1 }
    if count > 0 { takes(&self, HTMLSlice(start: text.start, count: count)) }
    text.start += count
    text.count -= count
    return text.count > 0
  }

  /// Keeps the white space in the text and drops the rest.
  mutating func takeOnlySpace() {
    while takeSpace({ $0.insertText($1) }) {
      text.start += 1
      text.count -= 1
    }
  }

  func isSpace(_ slice: HTMLSlice) -> Bool {
    for index in slice.start..<(slice.start + slice.count)
    where !HTMLTokenizer.isSpace(byte(index)) { return false }
    return true
  }

  /// Returns U+FFFD as text.
  mutating func replacement() -> HTMLSlice {
    let start = input.count + tokenizer.side.count
    tokenizer.side.append(contentsOf: HTMLTokenizer.replacementBytes)
    return HTMLSlice(start: start, count: 3)
  }
}
