import ArchiverCore

/// The preview of a row's page on a card: its first image, or else its first words.
struct CardPreview: Sendable {
  private(set) var picture: NotionFile?
  private(set) var words = ""

  /// The maximum number of characters.
  static let length = 280

  /// - Parameter blocks: The first blocks of the page, as received.
  init(_ blocks: [JSONValue]) {
    for block in blocks {
      // Invalid blocks are skipped; the row's own page reports them.
      guard let node = BlockTree.Node(block) else { continue }
      if node.type == "image", picture == nil { picture = NotionFile(node.payload) }
      let text = node.text.map(\.plain).joined()
      guard !text.isEmpty, words.count < CardPreview.length else { continue }
      words += words.isEmpty ? text : " \(text)"
    }
    if words.count > CardPreview.length { words = words.prefix(CardPreview.length) + "…" }
  }
}
