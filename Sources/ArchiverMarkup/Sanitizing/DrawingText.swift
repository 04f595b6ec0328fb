/// An inline SVG image: its text, and the image itself unless it is an icon.
struct DrawingText {
  /// An image with fewer elements is an icon unless it declares a larger size.
  private static let fewElements = 10
  private var depth = 1
  private var elements = 0
  private let label: String?
  /// Whether it declares a size larger than an icon's; `nil` without a size.
  private let isLarge: Bool?
  private let isHidden: Bool
  private var title: [UInt8] = []
  private var isInTitle = false
  /// The URLs of the raster images in the drawing, as written.
  private(set) var pictures: [String] = []
  private var knownPictures: Set<String> = []
  /// The number of links to other pages, which do not work in an image.
  private(set) var links = 0
  /// The depth of the open `text` element; 0 outside one.
  private var textDepth = 0
  private var words: [UInt8] = []
  /// The image itself; `nil` if it is an icon or a decoration.
  private var markup: DrawingMarkup?
  private let isWide: Bool
  /// Whether anything is drawn.
  private var isDrawn: Bool { hasShape || uses.contains { ids.contains($0) } }
  /// Whether it has shapes outside definitions.
  private var hasShape = false
  /// The ids of its elements, and those that its `use` elements outside definitions refer to.
  private var ids: Set<String> = []
  private var uses: Set<String> = []
  private static let shapeless: Set<String> = [
    "title", "desc", "metadata", "style", "script", "g", "switch", "a", "use",
  ]
  /// The depth of the open definition; 0 outside one.
  private var definitionDepth = 0
  /// Whether it only defines shapes, for use elsewhere on the page.
  private var isSheet: Bool { hasDefinition && !hasShape && uses.isEmpty }
  private var hasDefinition = false
  private static let definitions: Set<String> = [
    "defs", "symbol", "clippath", "mask", "marker", "pattern", "lineargradient", "radialgradient",
    "filter",
  ]

  /// Elements at which HTML parsers end the SVG image.
  private static let htmlElements: Set<String> = [
    "b", "big", "blockquote", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1",
    "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "li", "menu", "nobr", "ol", "p", "pre", "ruby",
    "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var",
  ]

  /// The content of all its text elements so far.
  var text: String { isSheet ? "" : String(decoding: words, as: UTF8.self) }

  static func leadsBack(_ name: String) -> Bool { htmlElements.contains(name) }

  init(_ attributes: HTMLAttributes) {
    label = attributes["aria-label"]
    isHidden = attributes["aria-hidden"] == "true" || DrawingText.isInvisible(attributes)
    isLarge = DrawingText.isLarge(attributes)
    isWide = DrawingText.isWide(attributes["viewbox"])
    if !isHidden, isLarge != false { markup = DrawingMarkup(attributes) }
    noteBackground(attributes)
  }

  /// The SVG image as a `data:` URL, if it is kept.
  var address: String? { isKept ? markup?.address : nil }

  /// The image as text: its name, or else the text in it.
  var description: String {
    let label = (label ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if !label.isEmpty { return label }
    if let name, name != "SVG" { return name }
    let line = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return line.isEmpty ? name ?? "" : String(line.prefix(1_000))
  }

  /// Whether it is a loss if the image is not shown.
  var isContent: Bool { name != nil || isKept }

  /// Whether it is content rather than an icon. Without a declared size, it is content if it has
  /// many elements, or text in a wide view box.
  private var isKept: Bool {
    guard isDrawn else { return false }
    if name != nil { return true }
    return !isHidden && isLarge == nil && isWide && (!words.isEmpty || label != nil && elements > 2)
  }

  /// Whether an HTML element is inside the SVG image and therefore does not end it.
  var holdsHTML: Bool { (isWide || isLarge == true) && (markup?.htmlDepth ?? 0) > 0 }

  private static func isWide(_ viewBox: String?) -> Bool {
    let numbers = (viewBox ?? "").split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
    // The view boxes of icons are squares.
    return numbers.count == 4 && numbers[2] >= 64 && numbers[3] >= 64 && numbers[2] != numbers[3]
  }

  /// The name to show in place of the image; `nil` for an icon or a decoration.
  var name: String? {
    guard !isHidden, !isSheet, isLarge ?? (elements >= DrawingText.fewElements) else {
      return nil
    }
    let words = [label ?? "", String(decoding: title, as: UTF8.self)].map {
      $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return words.first { !$0.isEmpty } ?? "SVG"
  }

  /// Whether its own style or presentation attributes hide it, as those of a sheet of symbols do.
  private static func isInvisible(_ attributes: HTMLAttributes) -> Bool {
    let style = attributes["style"]?.lowercased().filter { !$0.isWhitespace } ?? ""
    let declarations = style.split(separator: ";").map { $0.replacing("!important", with: "") }
    let sides = ["width", "height"].map { side in
      declarations.contains { $0 == "\(side):0" || $0 == "\(side):0px" }
    }
    return attributes["hidden"] != nil || attributes["display"] == "none"
      || attributes["visibility"] == "hidden" || declarations.contains("display:none")
      || declarations.contains("visibility:hidden") || sides == [true, true]
  }

  private static func isLarge(_ attributes: HTMLAttributes) -> Bool? {
    let sides = [attributes["width"], attributes["height"]]
    // Sizes relative to the font: a formula, or an icon in text.
    if sides.contains(where: { $0.map { $0.hasSuffix("ex") || $0.hasSuffix("em") } ?? false }) {
      return false
    }
    let pixels = sides.compactMap(ImageMarkup.pixels)
    return pixels.isEmpty ? nil : pixels.allSatisfy { $0 >= 64 }
  }

  mutating func start(_ name: String, _ attributes: HTMLAttributes) {
    depth += 1
    elements += 1
    markup?.start(name, attributes)
    // Boxes are separated by spaces.
    if holdsHTML { words.append(0x20) }
    if let id = attributes["id"] { ids.insert(id) }
    if definitionDepth == 0 { startOutsideDefinitions(name, attributes) }
    isInTitle = name == "title" && depth == 2
    let address = attributes["href"] ?? attributes["xlink:href"]
    if name == "image", let address { note(picture: address) }
    if name == "a", let address, ReferenceResolver.scheme(address) != "javascript",
      !address.hasPrefix("#")
    {
      links += 1
    }
    noteBackground(attributes)
    if name == "text", textDepth == 0 { textDepth = depth }
  }

  /// Editors of pages put images behind empty drawings, which give them their proportions.
  private mutating func noteBackground(_ attributes: HTMLAttributes) {
    guard isWide || isLarge == true else { return }
    if let address = attributes["style"].flatMap(StyleFilter.background) { note(picture: address) }
  }

  private mutating func note(picture address: String) {
    if knownPictures.insert(address).inserted { pictures.append(address) }
  }

  private mutating func startOutsideDefinitions(_ name: String, _ attributes: HTMLAttributes) {
    if DrawingText.definitions.contains(name) {
      definitionDepth = depth
      hasDefinition = true
    } else if name == "use", let target = attributes["href"] ?? attributes["xlink:href"] {
      uses.insert(target.hasPrefix("#") ? String(target.dropFirst()) : target)
    } else {
      hasShape = hasShape || !DrawingText.shapeless.contains(name)
    }
  }

  /// Adds the text of a style sheet.
  mutating func writeRaw(_ piece: UnsafeBufferPointer<UInt8>) { markup?.write(piece) }

  /// Ends an element; returns the whole text at the end of the image.
  mutating func end(_ name: String) -> String? {
    isInTitle = false
    if depth == textDepth {
      textDepth = 0
      words.append(0x20)
    }
    if depth == definitionDepth { definitionDepth = 0 }
    depth -= 1
    if depth > 0 { markup?.end() }
    return depth == 0 ? text : nil
  }

  mutating func write(_ piece: UnsafeBufferPointer<UInt8>) {
    markup?.write(piece)
    if textDepth > 0 || holdsHTML { words.append(contentsOf: piece) }
    if isInTitle { title.append(contentsOf: piece) }
  }
}
