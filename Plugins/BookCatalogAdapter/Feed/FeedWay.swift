import ArchiverCore

/// What a link of an entry that is not a book leads to.
enum FeedWay: Hashable {
  /// A feed or an entry, or something that may be one.
  case way
  /// Something that has no books: an image, a search, a web page.
  case nothing
  /// Something that is not read, with the reason.
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

  /// Generic types that servers send for feeds.
  private static let vague: Set<String> = [
    "", "application/xml", "text/xml", "application/json", "application/opds+xml",
    "application/octet-stream", "application/rss+xml",
  ]

  /// Whether a link leads to the feed at `url` in another order. Codex lists the orders of a feed among
  /// its entries, so that each feed of a library would be read in each of them.
  static func isReordering(_ link: CatalogLink, of url: WebURL) -> Bool {
    guard let other = WebURL(link.address), other.origin == url.origin, other.path == url.path
    else { return false }
    return contents(of: other) == contents(of: url)
  }

  /// Returns the parameters of a URL that determine which entries its feed has.
  private static func contents(of url: WebURL) -> Set<Substring> {
    let parameters = Set((url.query ?? "").split(separator: "&"))
    return parameters.filter { parameter in !orders.contains { parameter.hasPrefix($0 + "=") } }
  }

  /// The parameters of Codex that determine the order of a feed.
  private static let orders = ["orderBy", "orderReverse"]

  /// Whether a link of a feed leads to another part of the catalog.
  static func isSection(_ link: CatalogLink) -> Bool {
    (link.media.isFeed || vague.contains(link.media.name)) && !link.address.contains("{")
      && link.relations.contains {
        let name = $0.lowercased()
        return name == "subsection" || name == "collection" || name == "http://opds-spec.org/shelf"
          || name.hasPrefix("http://opds-spec.org/sort/")
      }
  }
}
