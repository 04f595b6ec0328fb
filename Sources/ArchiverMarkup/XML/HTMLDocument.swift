import ArchiverCore
import CXML2

/// Parses HTML for queries, such as for its title or links.
///
/// The result is not sanitised; it must reach a page through `HTMLSanitizer` only.
package enum HTMLDocument {
  /// Parses HTML in UTF-8, valid or not. `<name/>` is an empty element, as in XHTML.
  ///
  /// Elements nested deeper than 512 levels are moved up to that depth. Throws for an empty page
  /// and for a tag with more than 500 attributes.
  package static func parse(
    _ html: [UInt8], limits: SanitizerLimits = SanitizerLimits()
  ) throws(MarkupError) -> XMLDocument {
    guard !html.isEmpty else { throw MarkupError(.malformed, "the HTML is empty") }
    let input = try InputPreparation.prepare(html, limits: limits)
    _ = MarkupLibraries.xml
    let builder = try DocumentBuilder()
    var walk = HTMLTreeWalk(try HTMLParser.tree(of: input, closesEmptyTags: true))
    try walk.run(into: builder)
    return builder.document
  }
}

/// Builds a libxml2 document from the parser's events.
private final class DocumentBuilder: HTMLEventHandler {
  let document: XMLDocument
  private let pointer: xmlDocPtr
  private var open: [xmlNodePtr] = []
  /// Pending text: libxml2 scans the whole text of a node for each appended piece.
  private var words: [UInt8] = []

  init() throws(MarkupError) {
    guard let pointer = xmlNewDoc("1.0") else { throw DocumentBuilder.noMemory }
    self.pointer = pointer
    document = XMLDocument(adopting: pointer)
  }

  private static let noMemory = MarkupError(.parser, "out of memory: cannot parse the page")

  func start(_ name: String, _ attributes: HTMLAttributes, depth: Int) throws(MarkupError) {
    try addWords()
    guard attributes.items.count <= AttributeCount.most else {
      throw MarkupError(
        .tooManyNodes,
        "a tag has \(attributes.items.count) attributes \(Limit.fixed(AttributeCount.most))")
    }
    guard let node = xmlNewDocNode(pointer, nil, name, nil) else { throw DocumentBuilder.noMemory }
    if let parent = open.last {
      xmlAddChild(parent, node)
    } else {
      xmlDocSetRootElement(pointer, node)
    }
    for (name, value) in attributes.items where xmlNewProp(node, name, value) == nil {
      throw DocumentBuilder.noMemory
    }
    open.append(node)
  }

  func end(_ name: String) throws(MarkupError) {
    try addWords()
    open.removeLast()
  }

  func text(_ text: UnsafeBufferPointer<UInt8>) { words += text }

  func rawText(_ text: UnsafeBufferPointer<UInt8>) { words += text }

  private func addWords() throws(MarkupError) {
    guard !words.isEmpty, let parent = open.last else { return }
    guard let node = xmlNewDocTextLen(pointer, words, Int32(words.count)) else {
      throw DocumentBuilder.noMemory
    }
    xmlAddChild(parent, node)
    words.removeAll(keepingCapacity: true)
  }
}
