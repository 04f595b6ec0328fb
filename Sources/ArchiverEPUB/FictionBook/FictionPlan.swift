import ArchiverMarkup

/// The pages of a FictionBook, and the page of each id.
struct FictionPlan {
  struct Page {
    /// The page's content, in order.
    var parts: [XMLElement.Content]
    let title: String
    /// 0 for the outermost.
    let level: Int
    /// Whether it is in the reading order, rather than linked by notes only.
    let isLinear: Bool

    /// Whether the content has a title, or is one element that has one.
    var isTitled: Bool {
      let elements = parts.compactMap { part -> XMLElement? in
        if case .element(let element) = part { element } else { nil }
      }
      return elements.contains { $0.name == "title" && FictionPageWriter.isHeading($0) }
        || elements.count == 1 && parts.count == 1 && FictionPageWriter.isTitled(elements[0])
    }
  }

  /// The size of text above which a section is divided at its subsections.
  private static let longest = 60_000
  private static let deepest = 8

  private(set) var pages: [Page] = []
  /// The index of the page that has an id, by the id as pages have it.
  private(set) var places: [String: Int] = [:]

  init(_ root: XMLElement, title: String) {
    var bodies = root.children("body")
    // An unclosed element of the description has swallowed what follows it.
    if bodies.isEmpty { bodies = root.descendants("body") }
    for (index, body) in bodies.enumerated() {
      let isNotes = index > 0 && body.attribute("name") != nil
      divide(body, title: index == 0 ? title : "", level: 0, isLinear: !isNotes)
    }
    for (index, page) in pages.enumerated() {
      for case .element(let element) in page.parts {
        for part in [element] + element.descendants {
          guard let id = part.attribute("id").flatMap(BookIdentifier.id) else { continue }
          places[id] = places[id] ?? index
        }
      }
    }
  }

  private mutating func divide(
    _ element: XMLElement, title: String, level: Int, isLinear: Bool
  ) {
    let own = FictionPlan.title(of: element) ?? title
    let sections = element.children("section")
    let isWhole =
      sections.isEmpty || level >= FictionPlan.deepest || !isLinear
      || (level > 0 && element.text.utf8.count <= FictionPlan.longest)
    if isWhole {
      return pages.append(
        Page(parts: [.element(element)], title: own, level: level, isLinear: isLinear))
    }
    let before = element.contents.filter { part in
      switch part {
      case .element(let child): child.name != "section"
      case .text(let text): !text.allSatisfy(\.isWhitespace)
      }
    }
    if !before.isEmpty {
      pages.append(Page(parts: before, title: own, level: level, isLinear: isLinear))
    }
    for section in sections {
      divide(section, title: "", level: before.isEmpty ? level : level + 1, isLinear: isLinear)
    }
  }

  /// Returns the text of a title with its paragraphs separated.
  static func title(of element: XMLElement) -> String? {
    let lines = (element.child("title")?.contents ?? []).map { content in
      switch content {
      case .text(let text): text.trimmed
      case .element(let part): part.words
      }
    }.filter { !$0.isEmpty }
    let text = lines.joined(separator: ". ")
    return text.isEmpty ? nil : String(text.prefix(200))
  }
}
