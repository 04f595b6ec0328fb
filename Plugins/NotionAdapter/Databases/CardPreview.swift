import ArchiverCore

/// What a card shows of the page of its row: the first picture, else the first words.
struct CardPreview: Sendable {
  private(set) var picture: NotionFile?
  private(set) var words = ""

  /// Characters of the words.
  static let length = 280

  /// - Parameter blocks: of the page, as received, from its beginning.
  init(_ blocks: [JSONValue]) {
    for block in blocks {
      // What is no block has no words; the row's own page counts it.
      guard let node = BlockTree.Node(block) else { continue }
      if node.type == "image", picture == nil { picture = NotionFile(node.payload) }
      let text = node.text.map(\.plain).joined()
      guard !text.isEmpty, words.count < CardPreview.length else { continue }
      words += words.isEmpty ? text : " \(text)"
    }
    if words.count > CardPreview.length { words = words.prefix(CardPreview.length) + "…" }
  }
}
