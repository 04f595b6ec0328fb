import ArchiverMarkup

/// The titles of pages: from the table of contents, else from the page, else its number.
struct PageTitles {
  private var titles: [String: String] = [:]
  private let plan: [PlannedPage]
  private let words: BookWords

  init(_ contents: [ContentsEntry], plan: [PlannedPage], words: BookWords) {
    self.plan = plan
    self.words = words
    collect(contents)
  }

  func title(_ index: Int) -> String {
    if let title = titles[plan[index].entry] { return title }
    return words.part.filled(String(index + 1))
  }

  func title(of entry: String) -> String? { titles[entry] }

  /// Uses a page's own title if the table of contents has none.
  mutating func learn(_ title: String?, of entry: String) {
    if let title, titles[entry] == nil { titles[entry] = title }
  }

  /// Returns the first heading of a document, or else its title unless that is the book's.
  static func title(of document: XMLDocument, in book: String) -> String? {
    guard let root = document.root else { return nil }
    let body = root.child("body") ?? root
    let heading = firstHeading(in: body, depth: 0)
    if let heading { return heading }
    let title = root.child("head")?.child("title")?.words ?? ""
    return title.isEmpty || title == book || title.utf8.count > longest ? nil : title
  }

  private static let longest = 200
  private static let deepest = 64

  private static func firstHeading(in element: XMLElement, depth: Int) -> String? {
    guard depth < deepest else { return nil }
    for child in element.children {
      if ["h1", "h2", "h3", "h4"].contains(child.name.lowercased()) {
        let title = words(ofHeading: child)
        if !title.isEmpty, title.utf8.count <= longest { return title }
      } else if let found = firstHeading(in: child, depth: depth + 1) {
        return found
      }
    }
    return nil
  }

  /// Returns the words of a heading without notes in it and references to notes.
  private static func words(ofHeading heading: XMLElement) -> String {
    guard heading.descendants.contains(where: isNote) else { return heading.words }
    return visible(heading).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Returns the text of an element without that of notes and references to them.
  private static func visible(_ element: XMLElement) -> String {
    element.contents.reduce(into: "") { text, content in
      switch content {
      case .text(let piece): text += piece
      case .element(let child): if !isNote(child) { text += visible(child) }
      }
    }
  }

  private static func isNote(_ element: XMLElement) -> Bool {
    let types = element.attributes.filter { ["type", "epub:type", "role"].contains($0.name) }
      .flatMap { $0.value.split(separator: " ") }
    return types.contains { noteTypes.contains($0) }
  }

  private static let noteTypes: Set<Substring> = [
    "noteref", "footnote", "endnote", "rearnote", "doc-noteref", "doc-footnote", "doc-endnote",
  ]

  private mutating func collect(_ entries: [ContentsEntry]) {
    for entry in entries {
      if let path = entry.target?.path, !entry.title.isEmpty, titles[path] == nil {
        titles[path] = entry.title
      }
      collect(entry.children)
    }
  }
}
