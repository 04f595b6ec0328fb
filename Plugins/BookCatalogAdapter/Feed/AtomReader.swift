import ArchiverCore
import ArchiverMarkup

/// Reads OPDS 1.x: Atom feeds and entries (RFC 4287, OPDS 1.2).
///
/// Elements are identified by local name only, because catalogs omit namespaces or use wrong ones.
struct AtomReader {
  /// The URL of the document after redirects.
  let url: WebURL

  func feed(_ root: XMLElement) -> CatalogFeed {
    var feed = CatalogFeed()
    let base = base(of: root, in: url)
    feed.title = root.child("title").map(AtomText.words) ?? ""
    feed.updated = root.child("updated")?.words.nonEmpty
    feed.links = root.children("link").map { link($0, base) }
    feed.entryCount = root.children("entry").count
    feed.total = root.child("totalResults").flatMap { Int($0.words) }
    let tellsPublication = AtomReader.tellsPublication(root)
    for element in root.children("entry") {
      var entry = entry(element, base)
      if tellsPublication, entry.published == nil {
        (entry.published, entry.added) = (entry.added, nil)
      }
      if entry.isPublication {
        feed.publications.append(entry)
        feed.unread.formUnion(AtomVocabulary.unknown(in: element))
      } else {
        if entry.leadsNowhere { feed.idle.append(entry.title) }
        feed.navigation += entry.links.map { link in
          var link = link
          link.title = entry.title
          return link
        }
      }
    }
    return feed
  }

  func entry(_ element: XMLElement, _ outer: WebURL? = nil) -> CatalogEntry {
    let base = base(of: element, in: outer ?? url)
    var entry = CatalogEntry()
    entry.base = base.absoluteString
    entry.links = element.children("link").map { link($0, base) }
    entry.markDownloads()
    for child in element.children { read(child, &entry) }
    if let content = element.child("content") {
      AtomContent(content).complete(&entry)
    }
    return entry
  }

  /// Whether `published` is a book's publication date, as in Calibre-Web, rather than the date when
  /// it was added to the catalog.
  private static func tellsPublication(_ root: XMLElement) -> Bool {
    root.child("author")?.child("uri")?.words.lowercased().contains("calibre-web") ?? false
  }

  private func base(of element: XMLElement, in outer: WebURL) -> WebURL {
    let xml = "http://www.w3.org/XML/1998/namespace"
    return element.attribute("base", namespace: xml).flatMap(outer.resolving) ?? outer
  }

  private func read(_ element: XMLElement, _ entry: inout CatalogEntry) {
    let words = element.words
    switch element.name {
    case "id": entry.id = words
    case "title": entry.title = AtomText.words(element)
    case "updated": entry.updated = words.isEmpty ? nil : words
    case "published": entry.added = words.isEmpty ? nil : words
    case "issued", "date": if !words.isEmpty { entry.published = entry.published ?? words }
    case "language": if !words.isEmpty { entry.language = entry.language ?? words }
    case "publisher":
      let name = element.child("name")?.words ?? words
      if !name.isEmpty { entry.publisher = entry.publisher ?? name }
    case "rights": entry.rights = AtomText.words(element).nonEmpty
    case "summary":
      let isMarkup = element.attribute("type")?.lowercased().contains("html") ?? false
      entry.summary =
        isMarkup
        ? AtomText.lines(element).joined(separator: "\n").nonEmpty : element.text.trimmed.nonEmpty
    case "author", "contributor", "creator": author(element, &entry)
    case "subject":
      if !words.isEmpty, !entry.subjects.contains(words) { entry.subjects.append(words) }
    case "category":
      let label = element.attribute("label") ?? element.attribute("term") ?? ""
      if !label.isEmpty, !entry.subjects.contains(label) { entry.subjects.append(label) }
    case "identifier": if !words.isEmpty { entry.identifiers.append(words) }
    case "series", "Series":
      let name = element.attribute("name") ?? words
      if !name.isEmpty {
        entry.series = CatalogEntry.Series(name: name, position: element.attribute("position"))
      }
    case "meta": meta(element, words, &entry)
    case "series_index", "seriesPosition":
      entry.series?.position = PlainNumber.text(of: words)
    default: break
    }
  }

  /// Reads a series as in a package document (EPUB 3.3, appendix D.3.3), which Grimmory sends.
  private func meta(_ element: XMLElement, _ words: String, _ entry: inout CatalogEntry) {
    switch element.attribute("property") {
    case "belongs-to-collection" where words.isEmpty: break
    case "belongs-to-collection" where entry.series == nil:
      entry.series = CatalogEntry.Series(name: words, position: nil)
    case "belongs-to-collection":
      // A book has a place in one series; the others are shown by name.
      entry.columns = (entry.columns ?? []) + [CatalogEntry.Column(name: "Series", value: words)]
    case "group-position":
      guard let last = entry.columns?.lastIndex(where: { $0.name == "Series" }) else {
        entry.series?.position = PlainNumber.text(of: words)
        return
      }
      entry.columns?[last].value += " [\(PlainNumber.text(of: words))]"
    // As of all elements that this reader does not know.
    default: break
    }
  }

  /// calibre joins several authors into one name; Calibre-Web replaces commas in names. A contributor is
  /// an author only of a book without one.
  private func author(_ element: XMLElement, _ entry: inout CatalogEntry) {
    let name = element.child("name")?.words ?? element.words
    let names = name.split(separator: " & ").map { String($0).replacing("|", with: ",").trimmed }
    for name in names where !name.isEmpty && !entry.authors.contains(name) {
      if element.name == "contributor", !entry.authors.isEmpty {
        let column = CatalogEntry.Column(name: "Contributor", value: name)
        entry.columns = (entry.columns ?? []) + [column]
      } else {
        entry.authors.append(name)
      }
    }
  }

  /// Returns a link. One without an address is kept too, so that what it should lead to is counted as
  /// missing.
  private func link(_ element: XMLElement, _ outer: WebURL) -> CatalogLink {
    let base = base(of: element, in: outer)
    let href = element.attribute("href")?.trimmed ?? ""
    let relations = (element.attribute("rel") ?? "").split(whereSeparator: \.isWhitespace)
      .map(String.init)
    var link = CatalogLink(
      AtomReader.address(href, relations, base), relations: relations,
      type: element.attribute("type"), title: element.attribute("title"))
    if let price = element.child("price") {
      let currency = element.child("price")?.attribute("currencycode") ?? ""
      link.price = "\(currency) \(price.words)".trimmed
    }
    link.indirectType = element.child("indirectAcquisition")?.attribute("type")
    link.availability =
      element.child("availability")?.attribute("status")
      ?? element.child("availability")?.attribute("state")
    link.length = element.attribute("length").flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
    let counts = element.attributes.filter { $0.name == "count" && $0.namespace != nil }
    // The threading extension (RFC 4685) uses `count` for replies; the prefix of the page-streaming
    // attribute differs by server.
    let pages = counts.first { !($0.namespace ?? "").contains("syndication/thread") }
    link.pageCount = pages.flatMap { Int($0.value) }
    if element.attributes.contains(where: { $0.name == "facetGroup" }) {
      link.relations.append("http://opds-spec.org/facet")
    }
    return link
  }

  /// Returns the absolute address of a link; an invalid URL unchanged.
  ///
  /// - Parameter isTemplate: Whether the document declares the link to be a URL template.
  static func address(
    _ href: String, _ relations: [String], _ base: WebURL, isTemplate: Bool = false
  ) -> String {
    // An empty reference would lead to the feed itself.
    if href.isEmpty { return "" }
    let relations = relations.map { LinkRelation($0) }
    if relations.contains(.acquisition) {
      // The variables of a template have no values here, and expand to nothing (RFC 6570 section 3.2.1).
      let plain = isTemplate ? withoutVariables(href) : href
      return base.resolving(plain)?.absoluteString ?? href
    }
    let isTemplate =
      isTemplate || relations.contains(.search) || relations.contains(.stream)
      || variables.contains { href.contains($0) }
    // A URL template cannot be parsed as a URL before its variables are set. Elsewhere a brace is a
    // character like others, which needs percent-encoding.
    let address =
      isTemplate && href.contains("{")
      ? template(href, base) : base.resolving(href)?.absoluteString
    return address ?? href
  }

  /// What the templates of searches (OpenSearch 1.1, RFC 6570) contain.
  private static let variables = ["{searchTerms", "{?", "{&"]

  private static func withoutVariables(_ template: String) -> String {
    var plain = ""
    var rest = template[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      plain += rest[..<start]
      rest = rest[rest.index(after: end)...]
    }
    return plain + rest
  }

  private static func template(_ href: String, _ base: WebURL) -> String? {
    let plain = String(href.prefix { $0 != "{" })
    guard let start = base.resolving(plain) else { return nil }
    return start.absoluteString + href.dropFirst(plain.count)
  }
}

extension String {
  /// The text without leading and trailing white space.
  var trimmed: String {
    var slice = self[...]
    while slice.first?.isWhitespace == true { slice.removeFirst() }
    while slice.last?.isWhitespace == true { slice.removeLast() }
    return String(slice)
  }

  var nonEmpty: String? { isEmpty ? nil : self }
}
