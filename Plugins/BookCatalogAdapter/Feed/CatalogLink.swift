import ArchiverCore

/// A link of a feed or an entry.
struct CatalogLink: Codable, Sendable, Hashable {
  /// The catalog's URL made absolute, otherwise unchanged. A URL template keeps its braces. An
  /// invalid URL is kept unchanged, so that what it should lead to is counted as missing.
  var address: String
  var relations: [String]
  /// The media type with its parameters, unchanged.
  var type: String?
  var title: String?
  /// The price, such as `EUR 9.99`, if there is one.
  var price: String?
  /// The type of the file behind a loan or a licence; `nil` if the link leads to the file itself.
  var indirectType: String?
  /// The state of a loan: `available`, `unavailable`, …
  var availability: String?
  /// The declared size in bytes (RFC 4287 section 4.2.7.6), which may be inexact.
  var length: Int?
  /// The number of pages that can be streamed (OPDS-PSE).
  var pageCount: Int?

  init(_ address: String, relations: [String] = [], type: String? = nil, title: String? = nil) {
    self.address = address
    self.relations = relations
    self.type = type
    self.title = title
  }

  /// A `data:` URL without data.
  static let emptyData = "data:"

  var media: CatalogMediaType { CatalogMediaType(type ?? "") }

  /// Whether the address has a scheme (RFC 3986 section 3.1) other than `http` and `https`.
  var isOfOtherScheme: Bool {
    guard let colon = address.firstIndex(of: ":") else { return false }
    let scheme = address[..<colon].lowercased()
    return scheme.first?.isLetter == true && !["http", "https"].contains(scheme)
      && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }

  func has(_ relation: LinkRelation) -> Bool { relations.contains { LinkRelation($0) == relation } }

  /// Whether a request returns the book without further conditions.
  var isDownload: Bool {
    guard indirectType == nil, !media.isLicence, !media.isEntry, !media.isFeed,
      availability.map({ ["available", "ready"].contains($0) }) ?? true
    else { return false }
    return has(.acquisition)
  }

  /// Whether the link promises the book itself, but leads to a feed of the catalog.
  var leadsToFeed: Bool { has(.acquisition) && indirectType == nil && media.isFeed }

  /// Whether the book requires a purchase, a loan or a subscription, or is behind a page of the catalog.
  var isOffer: Bool {
    has(.buy) || has(.borrow) || has(.subscribe) || (has(.acquisition) && !isDownload)
  }
}

/// The link relations that a crawl uses (OPDS 1.2 sections 5.2 and 6, OPDS 2.0 section 5.3).
enum LinkRelation: Hashable {
  case acquisition, sample, buy, borrow, subscribe, image, thumbnail, stream
  case next, crawlable, facet, search, start, up, own, alternate, other

  private static let prefix = "http://opds-spec.org/"

  init(_ text: String) {
    let name = text.lowercased()
    if name == "http://vaemendis.net/opds-pse/stream" {
      self = .stream
      return
    }
    let short =
      name.hasPrefix(LinkRelation.prefix) ? String(name.dropFirst(LinkRelation.prefix.count)) : name
    self =
      switch short {
      case "acquisition", "acquisition/open-access", "open-access", "download": .acquisition
      case "acquisition/sample", "acquisition/preview", "sample", "preview": .sample
      case "acquisition/buy", "buy": .buy
      case "acquisition/borrow", "borrow": .borrow
      case "acquisition/subscribe", "subscribe": .subscribe
      case "image", "cover", "x-stanza-cover-image": .image
      case "image/thumbnail", "thumbnail", "x-stanza-cover-image-thumbnail": .thumbnail
      case "next": .next
      case "crawlable": .crawlable
      case "facet": .facet
      case "search": .search
      case "start", "top": .start
      case "up", "previous", "prev", "first", "last": .up
      case "self": .own
      case "alternate": .alternate
      default: .other
      }
  }
}

/// A media type with parameters, compared without regard to order and case (RFC 9110 section 8.3).
struct CatalogMediaType: Hashable {
  /// `application/atom+xml`.
  let name: String
  private let parameters: [String: String]

  init(_ text: String) {
    let parts = text.lowercased().split(separator: ";").map { part in
      String(part.filter { !$0.isWhitespace && $0 != "\"" })
    }
    name = parts.first ?? ""
    var parameters: [String: String] = [:]
    for part in parts.dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      if pair.count == 2 { parameters[pair[0]] = pair[1] }
    }
    self.parameters = parameters
  }

  /// Whether it is the type of a catalog entry.
  var isEntry: Bool {
    (name == "application/atom+xml"
      && (parameters["type"] == "entry" || parameters["relation"] == "entry"))
      || name == "application/opds-publication+json"
  }

  /// Whether it is the type of a catalog feed.
  var isFeed: Bool {
    name == "application/opds+json" || (name == "application/atom+xml" && !isEntry)
  }

  /// Whether it is a licence document rather than a book.
  var isLicence: Bool {
    name.contains("adobe.adept") || name.contains("lcp.license")
      || name.contains("librarysimplified")
      || name.contains("bearer-token")
  }
}
