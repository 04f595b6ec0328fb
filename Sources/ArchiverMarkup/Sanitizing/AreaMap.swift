/// The areas of one image map, as they will be written.
struct AreaMap {
  /// The map's name in the output; `nil` if no image can refer to it.
  var name: String?
  private(set) var bytes: [UInt8] = []
  private var count = 0
  private static let most = 500
  private static let shapes = [
    "rect": "rect", "rectangle": "rect", "circle": "circle", "circ": "circle", "poly": "poly",
    "polygon": "poly", "default": "default",
  ]

  init(name: String?) {
    self.name = name
  }

  /// Adds an area that links to a URL, if its shape is valid.
  mutating func add(_ attributes: HTMLAttributes, to target: ReferenceResolver.Link) {
    guard count < AreaMap.most,
      let shape = AreaMap.shapes[attributes["shape"]?.lowercased() ?? "rect"]
    else { return }
    let coordinates = AreaMap.coordinates(attributes["coords"] ?? "")
    guard AreaMap.fits(coordinates.count, shape) else { return }
    count += 1
    bytes += "<area".utf8
    bytes.appendAttribute("shape", shape)
    if shape != "default" {
      bytes.appendAttribute("coords", coordinates.map(String.init).joined(separator: ","))
    }
    target.write(into: &bytes)
    bytes.appendAttribute("alt", attributes["alt"] ?? "")
    if let title = attributes["title"], !title.isEmpty { bytes.appendAttribute("title", title) }
    bytes.append(0x3E)
  }

  private static func fits(_ count: Int, _ shape: String) -> Bool {
    switch shape {
    case "rect": count == 4
    case "circle": count == 3
    case "poly": count >= 6 && count % 2 == 0
    default: true
    }
  }

  /// Returns integral coordinates up to the first invalid one.
  private static func coordinates(_ text: String) -> [Int] {
    var found = [Int]()
    for word in text.split(whereSeparator: { ",; \t\n\r".contains($0) }).prefix(2_000) {
      guard let number = Double(word), abs(number) <= 100_000 else { break }
      found.append(Int(number.rounded()))
    }
    return found
  }
}

extension ReferenceResolver.Link {
  /// Writes the attributes of the link.
  func write(into bytes: inout [UInt8]) {
    switch self {
    case .external(let address):
      bytes.appendAttribute("href", address)
      bytes.appendAttribute("rel", "noreferrer noopener")
    case .contact(let address): bytes.appendAttribute("href", address)
    case .internalAnchor(let id):
      bytes.appendAttribute("href", "#" + id)
      // Like all links of a page, it stays in the frame in which the page is shown.
      bytes.appendAttribute("target", "_self")
    }
  }
}
