import ArchiverCore

/// The attributes of one image, and its canonical tag.
struct ImageMarkup {
  /// The URL in `src`, without a placeholder's unless there is no other.
  var source: String?
  /// The URL that a lazy-loading script would load.
  var lazySource: String?
  var candidates: [SourceSet.Candidate] = []
  var alt: String?
  var title: String?
  var width: Int?
  var height: Int?
  /// Not reserved before the image is written.
  var id: String?
  private var isSizedByStyle = false
  private var isHidden = false
  /// The name of the image map.
  var map: String?

  /// Attributes of lazy-loading scripts, with those for the best image first.
  static let lazySources = [
    "data-hi-res-src", "data-full-src", "data-src", "data-lazy-src", "data-original",
    "data-original-src", "data-srcurl", "data-lazy", "data-lazyload", "data-delayed-url",
    "data-image", "data-img-src", "data-actualsrc", "data-canonical-src", "data-url", "data-echo",
    "data-runner-src", "data-cfsrc", "data-orig-file", "data-large-file", "data-medium-file",
    "data-native-src", "data-srv",
  ]
  static let lazySets = [
    "data-srcset", "data-lazy-srcset", "data-original-set", "data-bgset", "imagesrcset",
  ]
  private static let lazyNames = Set(lazySources + lazySets)
  private static let placeholder = Pattern(
    #"""
    (?ix) (?:blank|spacer|pixel|load(?:ing|er)|lazy|gr[ae]y|dot|empty|clear|trans|spinner|white)\.(?:gif|svg)
    | transparent\. | placeholder | lazyload | (?:^|[^0-9])1(?:x1|px)\.
    """#)

  init() {}

  /// An image of which only its map and its id are known.
  init(usemap attributes: HTMLAttributes) {
    id = attributes["id"].flatMap(SafeIdentifier.id)
    guard let name = attributes["usemap"], name.hasPrefix("#") else { return }
    map = SafeIdentifier.id(String(name.dropFirst()))
  }

  init(_ attributes: HTMLAttributes, _ resolver: inout ReferenceResolver) {
    self.init(usemap: attributes)
    source = attributes["src"].flatMap { resolver.image($0) }
    // Most images have none of these names, so that one check saves two dozen searches.
    if attributes.items.contains(where: { ImageMarkup.lazyNames.contains($0.name) }) {
      takeLazy(attributes, &resolver)
    }
    if let value = attributes["srcset"] { add(SourceSet(value), &resolver) }
    alt = attributes["alt"]
    title = attributes["title"]
    width = ImageMarkup.pixels(attributes["width"])
    height = ImageMarkup.pixels(attributes["height"])
    dropPlaceholders()
    takeUnknownLazy(attributes, &resolver)
    isSizedByStyle = ImageMarkup.isSizedByStyle(attributes)
    isHidden = ImageMarkup.isHidden(attributes)
    if isOfNoSize, !isTrackingPixel { (width, height) = (nil, nil) }
    fitMap()
  }

  /// Removes other sizes of an image with a map, whose areas apply to one size only.
  mutating func fitMap() {
    if map != nil, source != nil, width == nil { candidates = [] }
  }

  private mutating func takeLazy(
    _ attributes: HTMLAttributes, _ resolver: inout ReferenceResolver
  ) {
    for name in ImageMarkup.lazySources where lazySource == nil {
      guard let value = attributes[name], !value.isEmpty else { continue }
      lazySource = resolver.image(value)
    }
    for name in ImageMarkup.lazySets {
      if let value = attributes[name] { add(SourceSet(value), &resolver) }
    }
  }

  /// If there is only a placeholder, uses any attribute with the URL of an image.
  private mutating func takeUnknownLazy(
    _ attributes: HTMLAttributes, _ resolver: inout ReferenceResolver
  ) {
    guard lazySource == nil, candidates.isEmpty, source.map(ImageMarkup.isPlaceholder) ?? true,
      let found = LazySource.find(attributes)
    else { return }
    if found.isSet {
      add(SourceSet(found.value), &resolver)
    } else {
      lazySource = resolver.image(found.value)
    }
    dropPlaceholders()
  }

  /// Whether the size attributes are placeholders for a size in a style, as in `next/image` (`0`)
  /// and AMP (`1`, a ratio).
  private static func isSizedByStyle(_ attributes: HTMLAttributes) -> Bool {
    if attributes["data-nimg"] != nil { return true }
    if let layout = attributes["layout"] { return layout != "nodisplay" && layout != "fixed" }
    guard let style = attributes["style"]?.lowercased().filter({ $0 != " " }) else { return false }
    return ["width:100%", "height:auto", "width:auto", "inset:0", "object-fit:", "max-width:100%"]
      .contains(where: style.contains)
  }

  private static func isHidden(_ attributes: HTMLAttributes) -> Bool {
    if attributes["hidden"] != nil { return true }
    guard let given = attributes["style"], !given.isEmpty else { return false }
    let style = given.lowercased().filter { $0 != " " }
    return ["display:none", "visibility:hidden", "opacity:0;"].contains(where: style.contains)
  }

  /// Adds resolved candidates; invalid URLs are left out.
  mutating func add(_ sourceSet: SourceSet, _ resolver: inout ReferenceResolver) {
    for candidate in sourceSet.candidates where candidates.count < SourceSet.most {
      guard let url = resolver.image(candidate.url), !InlineImage.isPlaceholder(url) else {
        continue
      }
      var resolved = candidate
      resolved.url = url
      if !candidates.contains(where: { $0.url == url }) { candidates.append(resolved) }
    }
  }

  mutating func dropPlaceholders() {
    if lazySource == source { lazySource = nil }
    if let lazy = lazySource, ImageMarkup.isPlaceholder(lazy) { lazySource = nil }
    guard let source, lazySource != nil || !candidates.isEmpty else { return }
    if ImageMarkup.isPlaceholder(source) { self.source = nil }
  }

  /// Whether a script would load the image.
  var isLazy: Bool { lazySource != nil || source.map(ImageMarkup.isPlaceholder) ?? true }

  /// Whether it has a URL other than that of a placeholder.
  var hasPicture: Bool {
    lazySource != nil || !candidates.isEmpty
      || source.map { !ImageMarkup.isPlaceholder($0) } ?? false
  }

  var hasAddress: Bool { source != nil || lazySource != nil || !candidates.isEmpty }

  /// Whether it is an invisible tracking image.
  ///
  /// An image whose URL ends like an image file is fetched, and judged by its pixels.
  var isTrackingPixel: Bool {
    let addresses = listedAddresses
    if addresses.contains(where: TrackerAddress.isKnown) { return true }
    guard isOfNoSize, !isSizedByStyle else { return false }
    return isHidden || !addresses.contains(where: TrackerAddress.looksLikePicture)
  }

  private var isOfNoSize: Bool {
    (width.map { $0 <= 1 } ?? false) && (height.map { $0 <= 1 } ?? false)
  }

  func addresses() -> Set<String> { Set(listedAddresses) }

  private var listedAddresses: [String] {
    [source, lazySource].compactMap { $0 } + candidates.map(\.url)
  }

  /// The tag with src, srcset, data-src, alt, title, width, height, usemap and id, in this order,
  /// if present.
  var canonical: [UInt8] {
    var bytes = Array("<img".utf8)
    if let source { bytes.appendAttribute("src", source) }
    if !candidates.isEmpty { bytes.appendAttribute("srcset", canonicalSet) }
    if let lazySource { bytes.appendAttribute("data-src", lazySource) }
    bytes.appendAttribute("alt", alt ?? "")
    if let title, !title.isEmpty { bytes.appendAttribute("title", title) }
    if let width { bytes.appendAttribute("width", String(width)) }
    if let height { bytes.appendAttribute("height", String(height)) }
    if let map { bytes.appendAttribute("usemap", "#" + map) }
    if let id { bytes.appendAttribute("id", id) }
    bytes.append(0x3E)
    return bytes
  }

  private var canonicalSet: String {
    candidates.map { candidate in
      let url = ImageMarkup.escapedForSet(candidate.url)
      if let width = candidate.width { return "\(url) \(width)w" }
      if let density = candidate.density { return "\(url) \(density)x" }
      return "\(url) 1.0x"
    }.joined(separator: ", ")
  }

  /// Commas at either end of an address would be read as separators.
  private static func escapedForSet(_ url: String) -> String {
    url.hasSuffix(",") ? String(url.dropLast()) + "%2C" : url
  }

  static func isPlaceholder(_ address: String) -> Bool {
    if address.hasPrefix("data:") { return InlineImage.isPlaceholder(address) }
    var address = address
    return address.withUTF8 { bytes in
      let name = bytes.lastIndex(of: 0x2F).map { $0 + 1 } ?? 0
      return placeholder.isFound(in: UnsafeBufferPointer(rebasing: bytes[name...]))
    }
  }

  static func pixels(_ text: String?) -> Int? {
    guard let text else { return nil }
    let digits = text.drop { $0 == " " }.prefix { $0.isASCII && $0.isNumber }
    guard let value = Int(digits), value <= 100_000, !text.contains("%") else { return nil }
    return value
  }
}
