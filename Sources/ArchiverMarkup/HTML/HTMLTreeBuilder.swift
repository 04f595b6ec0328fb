/// The standard's tree construction, without scripting.
///
/// At most `maximumDepth` elements are kept open at a time: those that would be deeper go under the
/// deepest one, in their order. So every search among the open elements has a bound.
struct HTMLTreeBuilder: ~Copyable {
  enum Mode {
    case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody, text, inTable
    case inTableText, inCaption, inColumnGroup, inTableBody, inRow, inCell, inTemplate, afterBody
    case inFrameset, afterFrameset, afterAfterBody, afterAfterFrameset
  }

  /// What a step does with a token.
  enum Step {
    case done
    /// The token is read again in the mode that was set.
    case again
  }

  static let maximumDepth = 512
  /// The most formatting elements that are remembered after a marker.
  static let maximumFormatting = 256

  var tokenizer: HTMLTokenizer
  var tree: HTMLTree
  var mode = Mode.initial
  var originalMode = Mode.initial
  var templateModes: [Mode] = []
  /// The open elements, the innermost last.
  var open: [Int32] = []
  /// What is asked of each open element again and again.
  var kinds: [HTMLOpenKind] = []
  /// How many HTML elements of each tag are in `open`.
  var openCounts = [Int32](repeating: 0, count: 256)
  /// Open elements between the last two of `open`, the innermost last.
  var hidden: [Int32] = []
  /// The active formatting elements; 0 is a marker.
  var formatting: [Int32] = []
  var head: Int32 = 0
  var form: Int32 = 0
  /// The element that a fragment is parsed for; 0 for a document.
  var context: Int32 = 0
  var mayHaveFrameset = true
  var isQuirky = false
  var usesFosterParent = false
  var skipsLineFeed = false
  /// Text in a table, until it is known whether it is white space.
  var tableText: [HTMLSlice] = []
  /// How much may still be spent on elements that are made again for formatting that goes on: each
  /// one costs memory that the input does not.
  var copiesLeft: Int
  /// Whether `<name/>` has no content whichever element it is.
  var closesEmptyTags = false

  var token = HTMLTokenizer.Token.end
  /// The text of the token, of which white space may have been taken off already.
  var text = HTMLSlice.empty
  let input: UnsafeBufferPointer<UInt8>

  init(_ tree: HTMLTree, _ input: UnsafeBufferPointer<UInt8>) {
    self.tree = tree
    self.input = input
    tokenizer = HTMLTokenizer(input, names: tree.names)
    copiesLeft = 10_000 + input.count / 8
  }

  /// Reads everything.
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

  /// Ends the HTML element that has just begun with `<name/>`.
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

  /// A byte of the input or of those beside it.
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

  /// Puts white space at the beginning of the text into `place`, or nowhere; false where no other
  /// text is left.
  mutating func takeSpace(_ takes: (inout Self, HTMLSlice) -> Void = { _, _ in }) -> Bool {
    var count = 0
    while count < text.count, HTMLTokenizer.isSpace(byte(text.start + count)) { count += 1 }
    if count > 0 { takes(&self, HTMLSlice(start: text.start, count: count)) }
    text.start += count
    text.count -= count
    return text.count > 0
  }

  /// Takes the white space out of the text and drops the rest.
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

  /// Gives U+FFFD as text.
  mutating func replacement() -> HTMLSlice {
    let start = input.count + tokenizer.side.count
    tokenizer.side.append(contentsOf: HTMLTokenizer.replacementBytes)
    return HTMLSlice(start: start, count: 3)
  }
}
