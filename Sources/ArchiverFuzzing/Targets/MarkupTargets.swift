import ArchiverCore
import ArchiverMarkup
import ReadeckAdapter

extension FuzzTarget {
  private static let page = WebURL("https://example.org/dir/page")

  /// HTML to canonical HTML: only permitted markup, and unchanged by sanitising again.
  static let sanitizer = FuzzTarget(
    name: "sanitizer", dictionary: Words.html, seeds: Words.documents.map { Array($0.utf8) }
  ) { input in
    do throws(MarkupError) {
      let sanitizer = HTMLSanitizer(
        SanitizerOptions(highlightElement: ReadeckAdapter.highlightElement))
      let once = try sanitizer.sanitize(input, baseURL: page)
      var problems = CanonicalGrammar(once.bytes).violations
      let twice = try sanitizer.sanitize(once.bytes, baseURL: page)
      if once.bytes != twice.bytes { problems.append("sanitised again it becomes another") }
      if once.headings != twice.headings {
        problems.append("sanitised again it has other headings")
      }
      let words = once.plainText.split(whereSeparator: \.isWhitespace)
      if words != twice.plainText.split(whereSeparator: \.isWhitespace) {
        problems.append("sanitised again it has other words")
      }
      let read = try sanitizer.plainText(of: once.bytes)
      if read != twice.plainText { problems.append("read for its words only it has others") }
      if once.hasPlainTextOfBytes, read != once.plainText {
        problems.append("its words are not separated as it said")
      }
      return problems
    } catch {
      return []
    }
  }

  /// Images are found and replaced, and no URL is left that a browser would load.
  static let imageReferences = FuzzTarget(
    name: "images", dictionary: Words.html, seeds: Words.documents.map { Array($0.utf8) }
  ) { input in
    do throws(MarkupError) {
      let canonical = try HTMLSanitizer().sanitize(input, baseURL: page).bytes
      let found = ImageExtractor.references(in: canonical)
      let again = ImageExtractor.references(in: canonical)
      var problems = found.slots == again.slots ? [] : ["the same bytes hold other images"]
      for way in 0..<3 {
        let rewritten = ImageRewriter.rewrite(canonical, slots: found.slots) { index in
          switch (way + index) % 3 {
          case 0: .local(path: "assets/\(index).png", width: 1, height: 2)
          case 1: .missing(reason: "it is gone", originalURL: found.slots[index].originalURL)
          default: .drop
          }
        }
        problems += loaded(rewritten)
        if way == 0, rewritten.count < canonical.count - outside(found.slots, canonical.count) {
          problems.append("text was lost with the images")
        }
      }
      return problems
    } catch {
      return []
    }
  }

  private static func outside(_ slots: [ImageSlot], _ count: Int) -> Int {
    slots.reduce(0) { $0 + $1.range.count }
  }

  /// Returns URLs on the network that a browser would load automatically.
  private static func loaded(_ html: [UInt8]) -> [String] {
    let text = String(decoding: html, as: UTF8.self)
    var problems: [String] = []
    for tag in text.split(separator: "<").dropFirst() {
      let tag = tag.prefix { $0 != ">" }
      // Sequentially, so that text in a title is not read as an attribute.
      for match in tag.matches(of: #/ ([a-z-]+)="([^"]*)"/#.matchingSemantics(.unicodeScalar)) {
        let isLoading = ["src", "srcset", "poster", "data-src"].contains(match.1)
        let parts = match.1 == "style" ? match.2.split(separator: "url(").dropFirst() : []
        if !((isLoading ? [match.2] : []) + parts).allSatisfy({ $0.hasPrefix("assets/") }) {
          problems.append("still loads \(tag.prefix(200))")
        }
      }
    }
    return problems
  }

  /// SVG to SVG without scripts and external references.
  static let drawing = FuzzTarget(
    name: "svg", dictionary: Words.drawing, seeds: Words.drawings.map { Array($0.utf8) }
  ) { input in
    guard let once = SVGSanitizer.sanitize(input) else { return [] }
    guard let twice = SVGSanitizer.sanitize(once) else { return ["sanitised again it is refused"] }
    var problems = once == twice ? [] : ["sanitised again it becomes another"]
    let text = String(decoding: once, as: UTF8.self)
    for tag in text.split(separator: "<").dropFirst() {
      let tag = tag.prefix { $0 != ">" }.lowercased()
      let bad = ["script", "foreignobject", "animate", "set ", "handler", "iframe", "!entity"]
      if let name = bad.first(where: tag.hasPrefix) { problems.append("element \(name)") }
      for match in tag.matches(of: #/ (on[a-z]+|(?:xlink:)?href)="([^"]*)"/#) {
        if match.1.hasPrefix("on") { problems.append("handler \(match.1)") }
        if !match.2.isEmpty, !match.2.hasPrefix("#"), !match.2.hasPrefix("data:image/") {
          problems.append("\(match.1) \(match.2.prefix(60))")
        }
      }
    }
    return problems
  }
}
