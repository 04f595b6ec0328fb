/// Converts sanitised HTML to XHTML for books.
package enum XHTMLFragment {
  /// Returns the URL to write for a URL in the HTML; `nil` drops it, and an image with it.
  package typealias Resolve = (_ element: String, _ address: String) -> String?

  /// Returns a well-formed fragment (XML 1.0) for the content of a `body` with XHTML as the default
  /// namespace.
  ///
  /// Elements that are not permitted in a book lose their tags; audio, video and images without a
  /// URL are replaced by their alternative text. Throws the parser's errors.
  package static func make(
    _ html: [UInt8], limits: SanitizerLimits = SanitizerLimits(), resolve: @escaping Resolve
  ) throws(MarkupError) -> [UInt8] {
    let input = try InputPreparation.prepare(html, limits: limits)
    let writer = FragmentWriter(resolve)
    try HTMLParser.parse(input, in: .init(name: "body"), into: writer)
    return withoutNonCharacters(writer.result)
  }

  /// Returns UTF-8 without U+FFFE and U+FFFF, which HTML permits and XML does not (section 2.2).
  private static func withoutNonCharacters(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0xEF) else { return bytes }
    var result = [UInt8]()
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0xEF, index + 2 < bytes.count, bytes[index + 1] == 0xBF,
        bytes[index + 2] >= 0xBE
      {
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  /// Returns the ids of elements in the HTML.
  package static func ids(_ html: [UInt8]) -> Set<String> {
    var found: Set<String> = []
    html.withUnsafeBufferPointer { bytes in
      identifiers.matches(in: bytes) { match in
        if let value = match[1] { found.insert(CanonicalValue.decoded(bytes[value])) }
      }
    }
    return found
  }

  private static let identifiers = Pattern(#"<[a-z][^<>]*? id="([^"<>]*+)""#)
}

/// Writes the parser's events as XML.
private final class FragmentWriter: HTMLEventHandler {
  /// The fragment; complete after the last event.
  var result: [UInt8] { models.corrected(bytes) }

  private var bytes: [UInt8] = []
  private let resolve: XHTMLFragment.Resolve
  /// The end tags of the open elements; empty if the tags were dropped.
  private var open: [String] = []
  private var seen: Set<String> = []
  private var mathDepth = 0
  private var models = ContentModels()

  private static let voids: Set<String> = ["br", "hr", "img", "wbr", "col", "area"]
  /// Elements whose data is irrelevant in a book.
  private static let left: Set<String> = ["source", "track", "param", "embed", "meta", "link"]
  private static let unwrapped: Set<String> = [
    "html", "body", "head", "audio", "video", "picture", "object", "iframe",
  ]
  private static let attributes: Set<String> = [
    "id", "class", "lang", "dir", "title", "role", "href", "src", "alt", "width", "height",
    "colspan", "rowspan", "scope", "headers", "start", "reversed", "type", "value", "datetime",
    "cite", "span", "open", "style", "aria-label", "usemap", "name", "shape", "coords",
    "translate",
  ]
  /// Written behind the name, with which it leaves.
  private static let opened = " open=\"open\""
  /// Boolean attributes, whose values are their names in XML.
  private static let flags: Set<String> = ["reversed"]

  init(_ resolve: @escaping XHTMLFragment.Resolve) {
    self.resolve = resolve
  }

  func start(_ name: String, _ attributes: HTMLAttributes, depth: Int) throws(MarkupError) {
    if name == "math" { mathDepth += 1 }
    let isOpen = name == "details" && attributes["open"] != nil
    models.start(name, at: bytes.count, extra: isOpen ? FragmentWriter.opened.utf8.count : 0)
    if FragmentWriter.left.contains(name) { return open.append("") }
    if FragmentWriter.unwrapped.contains(name) { return open.append("") }
    if name == "img" {
      open.append("")
      return image(attributes)
    }
    // A time without a valid date may have no elements in it.
    let hasTime = attributes["datetime"].flatMap(BookTime.valid) != nil
    let name = name == "time" && !hasTime ? "span" : name
    bytes += "<\(name)".utf8
    if isOpen { bytes += FragmentWriter.opened.utf8 }
    if name == "math" { bytes.appendAttribute("xmlns", "http://www.w3.org/1998/Math/MathML") }
    write(attributes, of: name)
    if FragmentWriter.voids.contains(name) {
      bytes += "/>".utf8
      open.append("")
    } else {
      bytes.append(0x3E)
      open.append("</\(name)>")
    }
  }

  func end(_ name: String) {
    if name == "math" { mathDepth -= 1 }
    let tag = open.popLast() ?? ""
    let start = bytes.count
    bytes += tag.utf8
    models.end(name, at: start)
  }

  func text(_ text: UnsafeBufferPointer<UInt8>) {
    models.text(text)
    for byte in text { bytes.appendEscapedText(byte) }
  }

  private func image(_ attributes: HTMLAttributes) {
    guard let source = attributes["src"], let path = resolve("img", source) else {
      bytes += "<span class=\"absent\">".utf8
      for byte in (attributes["alt"] ?? "").utf8 { bytes.appendEscapedText(byte) }
      bytes += "</span>".utf8
      return
    }
    bytes += "<img".utf8
    bytes.appendAttribute("src", path)
    bytes.appendAttribute("alt", attributes["alt"] ?? "")
    write(attributes, of: "img", besides: ["src", "alt"])
    bytes += "/>".utf8
  }

  private func write(
    _ attributes: HTMLAttributes, of element: String, besides written: Set<String> = []
  ) {
    for (name, value) in attributes.items where !written.contains(name) {
      guard mathDepth > 0 || FragmentWriter.attributes.contains(name) else { continue }
      switch name {
      case "href":
        if let address = resolve(element, value).flatMap(BookAddress.valid) {
          bytes.appendAttribute(name, address)
        }
      case "src": break
      case "open" where element == "details": break
      // Duplicate ids, which HTML tolerates, are invalid in a book.
      case "id": if seen.insert(value).inserted { bytes.appendAttribute(name, value) }
      case "style": if !value.contains("url(") { write(style: value, attributes) }
      case "datetime": if let time = BookTime.valid(value) { bytes.appendAttribute(name, time) }
      case "lang":
        bytes.appendAttribute(name, value)
        bytes.appendAttribute("xml:lang", value)
      case let flag where FragmentWriter.flags.contains(flag): bytes.appendAttribute(flag, flag)
      default: bytes.appendAttribute(name, value)
      }
    }
  }

  /// Writes a style without its direction, which books may not contain (EPUB 3.3, 6.3.2), but as an
  /// attribute.
  private func write(style: String, _ attributes: HTMLAttributes) {
    guard style.contains("direction") || style.contains("unicode-bidi") else {
      return bytes.appendAttribute("style", style)
    }
    var kept: [Substring] = []
    var direction: String?
    for declaration in style.split(separator: ";") {
      let parts = declaration.split(separator: ":", maxSplits: 1)
      let name = parts.first.map { $0.filter { $0 != " " } }
      switch name {
      case "direction": direction = parts.last.map { $0.filter { $0 != " " } }
      case "unicode-bidi": break
      default: kept.append(declaration)
      }
    }
    if !kept.isEmpty { bytes.appendAttribute("style", kept.joined(separator: ";")) }
    if let direction, ["ltr", "rtl"].contains(direction), attributes["dir"] == nil {
      bytes.appendAttribute("dir", direction)
    }
  }
}
