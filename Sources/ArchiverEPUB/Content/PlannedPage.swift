/// A page to be made from an item of the spine.
struct PlannedPage {
  enum Kind: Sendable, Hashable {
    case text
    case drawing
    case image
    case missing
    /// A format that browsers do not support.
    case unknown
  }

  /// The entry of the archive.
  let entry: String
  /// The file name of the page: `0001.html`.
  let file: String
  let kind: Kind
  /// Whether it is in the linear reading order.
  let isLinear: Bool
  let isFixedLayout: Bool
  /// Of a page of fixed layout in the reading order.
  var spread: SpreadRules?
  /// The entry of its media overlay.
  var overlay: String?

  /// Plans a page for every item of the spine, each file once.
  static func plan(_ package: PackageDocument, _ archive: ZipArchive) -> [PlannedPage] {
    var pages = [PlannedPage]()
    var seen = Set<String>()
    for spine in package.spine {
      guard
        let (path, kind) = shown(spine.item, package, archive, kind)
          ?? shown(spine.item, package, archive, kindByName),
        seen.insert(path).inserted
      else { continue }
      pages.append(
        PlannedPage(
          entry: path, file: BookReferences.number(pages.count + 1) + ".html", kind: kind,
          isLinear: spine.isLinear, isFixedLayout: spine.isFixedLayout,
          spread: spine.isFixedLayout ? spine.spread : nil,
          overlay: spine.item.overlay.flatMap { package.items[$0]?.path }))
    }
    return pages
  }

  /// Follows fallbacks to the first item of a supported kind that the archive has.
  private static func shown(
    _ item: PackageDocument.Item, _ package: PackageDocument, _ archive: ZipArchive,
    _ kind: (_ mediaType: String, _ path: String) -> Kind?
  ) -> (String, Kind)? {
    var current: PackageDocument.Item? = item
    var missing: String?
    for _ in 0..<8 {
      guard let candidate = current else { break }
      if let path = candidate.path, let kind = kind(candidate.mediaType, path) {
        if let entry = archive.name(matching: path) { return (entry, kind) }
        missing = missing ?? path
      }
      current = candidate.fallback.flatMap { package.items[$0] }
    }
    return missing.map { ($0, .missing) }
  }

  private static func kind(_ mediaType: String, _ path: String) -> Kind? {
    switch mediaType {
    case "application/xhtml+xml", "text/html", "text/x-oeb1-document", "": return .text
    case "image/svg+xml": return .drawing
    default:
      let type = FileType.of(path: path, mediaType: mediaType)
      return mediaType.hasPrefix("image/") && type?.kind == .image ? .image : nil
    }
  }

  /// Returns the kind by name if the media type is wrong, obsolete or generic XML.
  private static func kindByName(_ mediaType: String, _ path: String) -> Kind? {
    let isXML = mediaType.hasSuffix("/xml") || mediaType.hasSuffix("+xml")
    return isText(path) || isXML || isPlain(path) ? .text : .unknown
  }

  /// Whether a file is text without markup by its name.
  static func isPlain(_ path: String) -> Bool { path.lowercased().hasSuffix(".txt") }

  /// Whether a file is text by its name.
  static func isText(_ path: String) -> Bool {
    let name = path.lowercased()
    return [".xhtml", ".html", ".htm", ".xht"].contains { name.hasSuffix($0) }
  }
}
