/// The kind of a link of an entry that is not a book.
enum FeedWay: Hashable {
  /// To a feed or an entry, or to what may be one.
  case way
  /// To nothing that could name books: a picture, a search, a page for people.
  case nothing
  /// To what is not read; says why.
  case other(String)

  init(_ link: CatalogLink) {
    let leadsOn = link.relations.allSatisfy { relation in
      switch LinkRelation(relation) {
      case .other, .alternate, .crawlable, .own, .start, .up, .next: true
      case .acquisition, .sample, .buy, .borrow, .subscribe, .image, .thumbnail, .stream, .facet,
        .search:
        false
      }
    }
    guard leadsOn, !link.address.contains("{") else {
      self = .nothing
      return
    }
    let name = link.media.name
    if link.media.isFeed || link.media.isEntry || FeedWay.vague.contains(name) {
      self = .way
    } else if name.hasPrefix("image/") || name.contains("html") || name.contains("opensearch")
      || name.contains("opds-authentication")
    {
      self = .nothing
    } else {
      self = .other("they are of type \(name)")
    }
  }

  /// Types that servers give to feeds for want of a better one.
  private static let vague: Set<String> = [
    "", "application/xml", "text/xml", "application/json", "application/opds+xml",
    "application/octet-stream", "application/rss+xml",
  ]

  /// Whether a link among a feed's own leads on to a part of the catalog.
  static func isSection(_ link: CatalogLink) -> Bool {
    (link.media.isFeed || vague.contains(link.media.name)) && !link.address.contains("{")
      && link.relations.contains {
        let name = $0.lowercased()
        return name == "subsection" || name == "collection" || name == "http://opds-spec.org/shelf"
          || name.hasPrefix("http://opds-spec.org/sort/")
      }
  }
}
