import ArchiverCore
import ArchiverTestKit
import Testing

@testable import BookCatalogAdapter

/// A thousand books with extreme values in every field: each is archived or fails alone.
@Suite struct ExtremeTests {
  /// A reproducible random number generator.
  private struct Numbers {
    var state: UInt64

    mutating func next(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(count))
    }

    mutating func one(of texts: [String]) -> String { texts[next(texts.count)] }
  }

  private static let long = String(repeating: "long ", count: 2_000)
  private static let deep =
    String(repeating: "<b>", count: 300) + "x" + String(repeating: "</b>", count: 300)

  /// Words of every kind, without characters that XML forbids; `broken` has those.
  private static let words = [
    "", " ", "\u{202E}evil\u{202C}", "e\u{301}\u{301}\u{301}", "👩‍👩‍👧‍👦", long, "a/../../b", "..",
    "&amp;lt;b&amp;gt;", "&#x1F600;", "line&#10;line&#9;tab", "אבג ABC", "CON", "-", "&#x200B;",
    "𝕬𝖇𝖈", "&lt;script&gt;alert(1)&lt;/script&gt;", "a:b*c?d|e", "\u{FFFD}", "&#xFFFD;",
  ]
  private static let broken = [
    "&nbsp;", "&bogus;", "&#0;", "&#x1;", "&", "a & b", "&;", "<b>bold</b>",
  ]
  private static let numbers = [
    "", "0", "-0", "-1", "1", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "99999999999999999999999999", "1e308", "1e999", "-1e999", "NaN", "inf", "0x10", "१२", "1,5",
    " 7 ",
    "0.1", "4294967296",
  ]
  private static let dates = [
    "", "0000-00-00", "0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "10000-01-01T00:00:00Z",
    "2026-02-30T25:61:61Z", "2026-01-01", "2026", "-2026-01-01", "yesterday",
    "2026-01-01T00:00:00+99:99",
    "2026-01-01T00:00:00.123456789123456789Z", "1970-01-01T00:00:00-23:59", "२०२६-०१-०१",
    "0101-01-01T00:00:00+00:00", "2026-01-01 00:00:00.413927",
  ]
  private static let addresses = [
    "/f/{}.epub", "/f/{}.pdf?x=%2523%zz", "//books.test/f/{}", "f/{}#frag", "?q={}", "",
    "http://[::1]:99999/{}", "https://books.test:0/{}", "ftp://x/{}", "data:text/html,{}",
    "javascript:{}", "https://user:secret@books.test/{}", "/f/{missing}/{}", "/f/\u{202E}{}",
    "http://169.254.169.254/{}", "https:///{}", "/" + String(repeating: "a/", count: 5_000) + "{}",
    "/f/%00{}", "/f/ä ö/{}", "http://" + String(repeating: "h", count: 300) + "/{}",
  ]
  private static let types = [
    "application/epub+zip", "application/pdf", "", "text/html", "a/b;c=d;e", ";;;",
    "image/vnd.djvu",
    "application/octet-stream", "APPLICATION/EPUB+ZIP ; x = \"y\"",
    "application/atom+xml;type=entry",
    "application/vnd.adobe.adept+xml",
  ]
  private static let relations = [
    "http://opds-spec.org/acquisition", "http://opds-spec.org/acquisition/open-access", "alternate",
    "http://opds-spec.org/acquisition/buy", "http://opds-spec.org/image",
    "http://opds-spec.org/image/thumbnail", "http://vaemendis.net/opds-pse/stream", "", "a b c",
  ]

  private static func entry(_ number: Int, _ random: inout Numbers) -> String {
    var words: String { random.next(12) == 0 ? random.one(of: broken) : random.one(of: Self.words) }
    func element(_ name: String, _ text: String, _ attributes: String = "") -> String {
      "<\(name)\(attributes)>\(text)</\(name)>"
    }
    var xml = element("title", words, random.next(4) == 0 ? " type=\"html\"" : "")
    switch random.next(8) {
    case 0: break
    case 1: xml += element("id", words)
    case 2: xml += element("id", String(repeating: "i", count: 5_000) + String(number))
    default: xml += element("id", "urn:x:\(number)")
    }
    for name in ["updated", "published", "dc:issued", "dc:date"] {
      xml += element(name, random.one(of: dates))
    }
    for name in [
      "author", "dc:language", "dc:publisher", "summary", "rights", "dc:identifier", "dc:extent",
      "calibre:series", "calibre:series_index", "calibre:rating",
    ] where random.next(3) > 0 {
      xml += element(name, name == "author" ? element("name", words) : words)
    }
    xml += element("calibre:series_index", random.one(of: numbers))
    xml += "<category term=\"t\" label=\"\(random.one(of: Self.words))\"/>"
    if random.next(5) == 0 { xml += element("content", deep, " type=\"xhtml\"") }
    if random.next(10) > 0 {
      xml +=
        "<link rel=\"http://opds-spec.org/acquisition\" type=\"application/epub+zip\""
        + " href=\"/f/\(number).epub\" length=\"\(random.one(of: numbers))\"/>"
    }
    for _ in 0..<random.next(4) {
      let address = random.one(of: addresses).replacing("{}", with: String(number))
      xml +=
        "<link rel=\"\(random.one(of: relations))\" type=\"\(random.one(of: types).replacing("\"", with: "&quot;"))\""
        + " href=\"\(address)\" length=\"\(random.one(of: numbers))\" pse:count=\"\(random.one(of: numbers))\""
        + " thr:count=\"\(random.one(of: numbers))\"><opds:price currencycode=\"\(words.prefix(9).filter { $0 != "<" && $0 != "&" })\">\(random.one(of: numbers))</opds:price></link>"
    }
    return "<entry>\(xml)</entry>"
  }

  private static let namespaces =
    "xmlns=\"http://www.w3.org/2005/Atom\" xmlns:dc=\"http://purl.org/dc/terms/\" "
    + "xmlns:calibre=\"http://calibre.kovidgoyal.net/2009/metadata\" "
    + "xmlns:pse=\"http://vaemendis.net/opds-pse/ns\" xmlns:opds=\"http://opds-spec.org/2010/catalog\" "
    + "xmlns:thr=\"http://purl.org/syndication/thread/1.0\""

  private static func feeds(of count: Int, seed: UInt64) -> [String] {
    var random = Numbers(state: seed)
    return (0..<count).map { page in
      atom(
        (0..<10).map { entry(page * 10 + $0, &random) }.joined()
          + "<opensearch:totalResults xmlns:opensearch=\"http://a9.com/-/spec/opensearch/1.1/\">\(random.one(of: numbers))</opensearch:totalResults>",
        attributes: namespaces)
    }
  }

  @Test func `a thousand books of Atom feeds are listed and archived or fail alone`() async throws {
    let feeds = Self.feeds(of: 100, seed: 1)
    let stage = try CatalogStage { request in
      if request.path == "/opds" {
        return .text(atom((0..<100).map { nav("/feed/\($0)") }.joined()))
      }
      if request.path.hasPrefix("/feed/") {
        return Int(request.path.dropFirst(6)).map { .text(feeds[$0]) } ?? .text("", status: 404)
      }
      return .data(Array("PK".utf8), type: "application/epub+zip")
    }
    let listed = try await stage.list()
    // Feeds that are not XML even after repair.
    #expect(listed.gaps.count < 20, "\(listed.gaps.map(\.message))")
    try await check(stage, listed, atLeast: 700)
    // Again, with the same result: nothing about a book depends on the time.
    let again = try await stage.list()
    #expect(again.references.map(\.id) == listed.references.map(\.id))
    #expect(again.references.map(\.revision) == listed.references.map(\.revision))
  }

  /// Fetches every book; each is an item or fails with its own error.
  private func check(
    _ stage: CatalogStage, _ listed: CatalogStage.Listed, atLeast least: Int
  ) async throws {
    var archived = 0
    for reference in listed.references {
      #expect(reference.id.utf8.count <= 6_000)
      do throws(AdapterError) {
        let item = try await stage.adapter.item(reference)
        archived += 1
        #expect(item.attachments.allSatisfy { ($0.byteCount ?? 0) >= 0 }, "\(reference.id)")
      } catch {
        #expect(!error.endsSource, "\(error.message)")
      }
    }
    #expect(Set(listed.references.map(\.id)).count == listed.references.count)
    #expect(archived >= least, "\(archived) of \(listed.references.count)")
  }

  private static func value(_ random: inout Numbers, depth: Int = 0) -> JSONValue {
    switch random.next(depth > 4 ? 8 : 11) {
    case 0: return .null
    case 1: return .bool(random.next(2) == 0)
    case 2: return .number(Double(Int64.max))
    case 3: return .number(-1e308)
    case 4: return .number(0.5)
    case 5: return .string(random.one(of: dates))
    case 6, 7: return .string(random.one(of: words + broken))
    case 8: return .array((0..<random.next(4)).map { _ in value(&random, depth: depth + 1) })
    case 9: return ["name": value(&random, depth: depth + 1), "position": value(&random, depth: 5)]
    default: return ["en": value(&random, depth: depth + 1)]
    }
  }

  private static func publication(_ number: Int, _ random: inout Numbers) -> JSONValue {
    var metadata: [String: JSONValue] = [:]
    for name in [
      "title", "subtitle", "author", "translator", "language", "publisher", "description",
      "subject",
      "published", "modified", "belongsTo", "@type", "numberOfPages", "altIdentifier", "duration",
      "readingProgression",
    ] { metadata[name] = value(&random) }
    metadata["identifier"] =
      random.next(4) == 0 ? value(&random) : .string("urn:p:\(number)")
    metadata["belongsTo"] = ["series": value(&random), "magazine": value(&random)]
    let links: [JSONValue] = (0..<random.next(4)).map { _ in
      [
        "href": random.next(9) == 0
          ? value(&random)
          : .string(random.one(of: addresses).replacing("{}", with: String(number))),
        "rel": random.next(3) == 0 ? value(&random) : .string(random.one(of: relations)),
        "type": .string(random.one(of: types)), "size": value(&random), "title": value(&random),
        "templated": value(&random),
        "properties": ["price": ["value": value(&random), "currency": value(&random)]],
      ]
    }
    return [
      "metadata": random.next(30) == 0 ? value(&random) : .object(metadata),
      "links": random.next(30) == 0 ? value(&random) : .array(links), "images": value(&random),
    ]
  }

  @Test func `a thousand publications of OPDS 2 are listed and archived or fail alone`()
    async throws
  {
    var random = Numbers(state: 2)
    let feed: JSONValue = [
      "metadata": ["title": Self.value(&random), "numberOfItems": .number(Double(Int64.max))],
      "publications": .array((0..<1_000).map { Self.publication($0, &random) }),
      "navigation": Self.value(&random), "groups": Self.value(&random),
      "links": Self.value(&random),
    ]
    let bytes = try JSONEncoder().encode(feed)
    let stage = try CatalogStage { request in
      request.path == "/opds"
        ? .data(Array(bytes), type: "application/opds+json")
        : .data(Array("PK".utf8), type: "application/epub+zip")
    }
    let listed = try await stage.list()
    try await check(stage, listed, atLeast: 600)
  }
}
