import ArchiverMarkup

/// The `nav` elements of a navigation document by their use; each has one.
struct NavigationLists {
  /// The table of contents, or else the first list of no known use; `nil` without any.
  let contents: XMLElement?
  /// The landmarks and the list of pages.
  private let known: [Substring: XMLElement]
  /// All other lists, in order.
  let others: [XMLElement]

  init(_ document: XMLDocument) {
    let all = (document.root?.descendants("nav") ?? []).filter { !NavigationLists.isNested($0) }
    let place =
      all.firstIndex { NavigationLists.types(of: $0).contains("toc") }
      ?? all.firstIndex { NavigationLists.kind($0) == nil }
    contents = place.map { all[$0] }
    var known: [Substring: XMLElement] = [:]
    var others: [XMLElement] = []
    for (number, nav) in all.enumerated() where number != place {
      if let type = NavigationLists.kind(nav), known[type] == nil {
        known[type] = nav
      } else {
        others.append(nav)
      }
    }
    self.known = known
    self.others = others
  }

  /// Returns the first list of the type `landmarks` or `page-list` that is not the table of contents.
  func first(_ type: String) -> XMLElement? { known[Substring(type)] }

  /// Returns the heading of a list: the first heading among its children, or else the one directly before it.
  static func heading(_ nav: XMLElement) -> XMLElement? {
    if let own = nav.children.first(where: isHeading) { return own }
    let beside = nav.parent?.children ?? []
    guard let place = beside.firstIndex(of: nav), place > 0,
      isHeading(beside[place - 1])
    else { return nil }
    return beside[place - 1]
  }

  /// Whether an element is a heading, or has nothing but one.
  private static func isHeading(_ element: XMLElement) -> Bool {
    if headings.contains(element.name) { return true }
    let inside = element.children
    return ["header", "hgroup"].contains(element.name) && inside.count == 1
      && headings.contains(inside[0].name) && inside[0].words == element.words
  }

  private static let headings: Set<String> = ["h1", "h2", "h3", "h4", "h5", "h6"]

  /// Whether a navigation document has more than the words of its lists and their headings: text elsewhere, images,
  /// formulas or media.
  static func hasMore(_ document: XMLDocument) -> Bool {
    guard let root = document.root else { return false }
    return hasMore(root.child("body") ?? root, headings: [])
  }

  private static func hasMore(_ element: XMLElement, headings: [XMLElement]) -> Bool {
    let headings = headings + element.children.filter { $0.name == "nav" }.compactMap(heading)
    return element.contents.contains { content in
      switch content {
      case .text(let text): return !text.allSatisfy(\.isWhitespace)
      case .element(let child):
        if ["head", "script", "style", "template"].contains(child.name) { return false }
        if isMedium(child) { return true }
        let isRead = child.name == "nav" || headings.contains(child)
        return isRead
          ? child.descendants.contains(where: isMedium) : hasMore(child, headings: headings)
      }
    }
  }

  private static func isMedium(_ element: XMLElement) -> Bool { media.contains(element.name) }

  private static let media: Set<String> = [
    "audio", "image", "img", "math", "object", "svg", "video",
  ]

  /// Returns which of these a list is; `nil` for another.
  private static func kind(_ nav: XMLElement) -> Substring? {
    types(of: nav).first { ["landmarks", "page-list"].contains($0) }
  }

  /// Returns the types of a list, such as `toc`.
  private static func types(of nav: XMLElement) -> [Substring] {
    nav.attributes.filter { $0.name.hasSuffix("type") }.flatMap { $0.value.split(separator: " ") }
  }

  private static func isNested(_ nav: XMLElement) -> Bool {
    var next = nav.parent
    while let parent = next {
      if parent.name == "nav" { return true }
      next = parent.parent
    }
    return false
  }
}

/// An item of a list, or a line outside of lists: its words and links, and the lists in it.
struct NavigationLine {
  struct Link {
    let title: String
    /// `nil` for a link without one.
    let address: String?
  }

  /// Links outside of the lists, in order.
  private(set) var links: [Link] = []
  private(set) var lists: [XMLElement] = []
  private var words = ""
  /// The texts for images and titles of elements.
  private var alternatives: [String] = []

  init() {}

  init(_ element: XMLElement) { add(element) }

  var isEmpty: Bool { links.isEmpty && title.isEmpty }

  /// The words outside of the lists; without any, those for the first image, or else the title of an element.
  var title: String {
    let words = NavigationLine.collapsed(words)
    return words.isEmpty ? alternatives.first ?? "" : words
  }

  /// The titles of elements and texts for images that `title` does not have; `nil` without any.
  var hint: String? {
    var seen: Set<String> = []
    let more = alternatives.filter { !title.contains($0) && seen.insert($0).inserted }
    return more.isEmpty ? nil : more.joined(separator: "; ")
  }

  mutating func add(_ text: String) { words += text }

  mutating func add(_ element: XMLElement) {
    if ["script", "style", "template"].contains(element.name) { return }
    if NavigationLine.isList(element) { return lists.append(element) }
    if NavigationLine.isBlock(element) { words += " " }
    let address = element.name == "a" ? element.attribute("href") : nil
    if let address {
      var inside = NavigationLine()
      inside.addContent(of: element)
      links.append(Link(title: inside.title, address: address))
    }
    addContent(of: element)
    if NavigationLine.isBlock(element) { words += " " }
  }

  private mutating func addContent(of element: XMLElement) {
    for name in element.name == "img" ? ["alt", "title"] : ["title"] {
      let text = NavigationLine.collapsed(element.attribute(name) ?? "")
      if !text.isEmpty { alternatives.append(text) }
    }
    for content in element.contents {
      switch content {
      case .element(let child): add(child)
      case .text(let text): add(text)
      }
    }
  }

  static func isList(_ element: XMLElement) -> Bool { ["ol", "ul", "menu"].contains(element.name) }

  /// Whether an element is shown on lines of its own.
  static func isBlock(_ element: XMLElement) -> Bool { blocks.contains(element.name) }

  private static let blocks: Set<String> = [
    "br", "dd", "div", "dl", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "p", "section",
    "table", "td", "th",
    "tr",
  ]

  private static func collapsed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
