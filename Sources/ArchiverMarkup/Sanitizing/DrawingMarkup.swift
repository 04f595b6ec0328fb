import ArchiverCore

/// An inline SVG image as an SVG document in XML syntax.
///
/// HTML parsers give names in lower case; SVG's spelling is restored.
struct DrawingMarkup {
  /// The maximum size of an image that is kept, in bytes.
  private static let most = 4_000_000
  private static let names = spelling(SVGSanitizer.elements.union(["foreignObject"]))
  private static let attributeNames = spelling(SVGAttributes.allowed.map(String.init))

  private var bytes: [UInt8] = []
  private var open: [String] = []
  /// The number of open elements inside HTML in the SVG image.
  private(set) var htmlDepth = 0
  private var isTooLarge: Bool { bytes.count > DrawingMarkup.most }

  private static func spelling(_ names: some Sequence<String>) -> [String: String] {
    Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
  }

  init(_ attributes: HTMLAttributes) {
    bytes +=
      "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"".utf8
    write(attributes)
  }

  mutating func start(_ name: String, _ attributes: HTMLAttributes) {
    let isPlain = name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
    let written = isPlain && !name.isEmpty ? DrawingMarkup.names[name] ?? name : "g"
    open.append(written)
    if htmlDepth > 0 || written == "foreignObject" { htmlDepth += 1 }
    guard !isTooLarge else { return }
    bytes += "<\(written)".utf8
    write(attributes)
  }

  mutating func end() {
    guard let name = open.popLast() else { return }
    if htmlDepth > 0 { htmlDepth -= 1 }
    // An image beyond the limit is not completed, and is therefore not a document.
    if !isTooLarge { bytes += "</\(name)>".utf8 }
  }

  mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
    guard !isTooLarge else { return }
    for byte in text where byte >= 0x20 || byte == 0x09 || byte == 0x0A {
      bytes.appendEscapedText(byte)
    }
  }

  private mutating func write(_ attributes: HTMLAttributes) {
    for item in attributes.items {
      let name = DrawingMarkup.attributeNames[item.name] ?? item.name
      let isKnown = DrawingMarkup.attributeNames[item.name] != nil
      guard isKnown || ["href", "xlink:href", "xml:space"].contains(name) else { continue }
      bytes.appendAttribute(
        name,
        String(
          String.UnicodeScalarView(
            item.value.unicodeScalars.filter {
              $0.value >= 0x20 || $0 == "\t" || $0 == "\n"
            })))
    }
    bytes.append(0x3E)
  }

  /// The sanitised image as a `data:` URL; `nil` if it is too large or has no visible content.
  var address: String? {
    guard open.isEmpty, !isTooLarge,
      let clean = SVGSanitizer.sanitize(bytes + Array("</svg>".utf8))
    else { return nil }
    return "data:image/svg+xml;base64," + Data(clean).base64EncodedString()
  }
}
