import ArchiverMarkup

/// The navigation document (EPUB 3.3 section 7): `nav` elements with a heading and a list, whose items are links or
/// headings of further lists. Other forms are read too, so that no word or link in a `nav` is lost: lists of any kind
/// and place, several of them, and lines outside of them.
extension ContentsReader {
  /// Reads the table of contents: the list of type `toc`, or else the first one.
  mutating func navigation(_ document: XMLDocument, path: String) -> [ContentsEntry] {
    let lists = NavigationLists(document)
    return lists.contents.map { entries(in: $0, path) } ?? []
  }

  /// Reads the list of a type, such as `page-list`; empty without one.
  mutating func list(_ type: String, _ document: XMLDocument, path: String) -> [ContentsEntry] {
    NavigationLists(document).first(type).map { entries(in: $0, path) } ?? []
  }

  /// Reads the other lists, such as the one of illustrations: an entry for each that is not empty, with the list's heading
  /// and entries.
  mutating func otherLists(_ document: XMLDocument, path: String) -> [ContentsEntry] {
    var found: [ContentsEntry] = []
    for nav in NavigationLists(document).others {
      let children = entries(in: nav, path)
      let heading = NavigationLists.heading(nav).map { NavigationLine($0).title } ?? ""
      if children.isEmpty, heading.isEmpty { continue }
      found.append(ContentsEntry(title: heading, target: nil, children: children))
    }
    return found
  }

  /// Reads the lists in an element and the lines between them, except for its heading.
  private mutating func entries(in nav: XMLElement, _ path: String) -> [ContentsEntry] {
    var line = NavigationLine()
    let heading = NavigationLists.heading(nav)
    var found = [ContentsEntry]()
    for content in nav.contents {
      switch content {
      case .element(let child) where NavigationLine.isList(child):
        found += entries(line, path, depth: 0) + entries(ofList: child, path, depth: 0)
        line = NavigationLine()
      case .element(let child) where child == heading:
        found += entries(line, path, depth: 0)
        line = NavigationLine()
      case .element(let child) where NavigationLine.isBlock(child):
        found += entries(line, path, depth: 0) + entries(NavigationLine(child), path, depth: 0)
        line = NavigationLine()
      case .element(let child): line.add(child)
      case .text(let words): line.add(words)
      }
    }
    return found + entries(line, path, depth: 0)
  }

  /// Returns the entry of a line, with its lists below it; only their entries if it has no words and links.
  private mutating func entries(
    _ line: NavigationLine, _ path: String, depth: Int
  ) -> [ContentsEntry] {
    guard !line.isEmpty else {
      return line.lists.flatMap { entries(ofList: $0, path, depth: depth + 1) }
    }
    return item(line, path, depth: depth).map { [$0] } ?? []
  }

  /// Reads a list; empty if it is deeper than the limit.
  private mutating func entries(
    ofList list: XMLElement, _ path: String, depth: Int
  ) -> [ContentsEntry] {
    guard descend(to: depth) else { return [] }
    var found = [ContentsEntry]()
    for child in list.children where !isCut {
      found += entries(NavigationLine(child), path, depth: depth)
    }
    return found
  }

  /// Returns the entry of a line: its words, its first link, and below it its other links and its lists; `nil` beyond
  /// the limit.
  private mutating func item(
    _ line: NavigationLine, _ path: String, depth: Int
  ) -> ContentsEntry? {
    guard take() else { return nil }
    var children = [ContentsEntry]()
    for link in line.links.dropFirst() {
      guard take() else { break }
      children.append(
        ContentsEntry(title: link.title, target: target(link.address, path), children: []))
    }
    for list in line.lists { children += entries(ofList: list, path, depth: depth + 1) }
    return ContentsEntry(
      title: line.title, target: target(line.links.first?.address, path), children: children,
      hint: line.hint)
  }
}
