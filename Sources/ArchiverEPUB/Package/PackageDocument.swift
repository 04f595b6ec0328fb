import ArchiverCore
import ArchiverMarkup

/// The package document of a book (EPUB 3.3 section 5; OPF 2.0.1): manifest, spine and metadata.
struct PackageDocument {
  struct Item {
    let id: String
    /// Relative to the container's root; `nil` for a remote resource.
    let path: String?
    let mediaType: String
    let properties: Set<Substring>
    let fallback: String?
    /// The id of the item's media overlay (EPUB 3.3 section 9).
    let overlay: String?
  }

  struct SpineItem {
    let item: Item
    let isLinear: Bool
    let isFixedLayout: Bool
    let spread: SpreadRules
  }

  /// A part of the book in its guide (OPF 2.0.1 section 2.6).
  struct Part {
    let title: String
    /// Relative to the container's root, with its fragment.
    let href: String?
  }

  let path: String
  /// Whether the container does not name it, so that it was found by its name.
  var isGuessed = false
  /// The number of further renditions of the book that the container names.
  var otherRenditions = 0
  let metadata: BookMetadata
  /// The items in the order of the package, also several with the same id.
  let manifest: [Item]
  let items: [String: Item]
  let spine: [SpineItem]
  /// The NCX, if the package names one.
  let ncx: String?
  /// The navigation document of EPUB 3.
  let navigation: String?
  let isRightToLeft: Bool
  /// Whether the package has no spine that names any of its items, so that its texts are in the order of
  /// the manifest.
  let lacksOrder: Bool
  /// Whether the package names no text at all, so that its texts are those of the archive, by name.
  let lacksTexts: Bool
  /// The number of spine entries without a manifest item.
  let danglingReferences: Int
  /// Candidates for the cover, best first: paths of images or pages.
  let covers: [String]
  /// The guide of an EPUB 2.
  let guide: [Part]

  /// - Parameters:
  ///   - files: The names of the archive's files.
  ///   - isFixedLayout: Whether another file of the book says that its layout is fixed.
  init(
    _ document: XMLDocument, path: String, files: [String] = [], limits: EPUBLimits,
    isFixedLayout: Bool = false
  ) throws(EPUBError) {
    guard let root = document.root, root.name == "package" else {
      throw EPUBError(.malformed, "\(path) is not a package document")
    }
    self.path = path
    metadata = BookMetadata(root)
    let manifest = (root.child("manifest")?.children("item") ?? []).compactMap {
      PackageDocument.item($0, path)
    }
    self.manifest = manifest
    items = Dictionary(manifest.map { ($0.id, $0) }) { first, _ in first }
    let items = items
    let spine = root.child("spine")
    let references = spine?.children("itemref") ?? []
    guard references.count <= limits.pages else {
      throw .limit("the book has \(references.count) pages", .bookPages, limits.pages)
    }
    let isFixed = metadata.isFixedLayout || isFixedLayout
    let mode = SpreadRules.mode(of: root.child("metadata"))
    let listed = references.compactMap { PackageDocument.listed($0, items, isFixed, mode) }
    danglingReferences = references.count - listed.count
    let declared = manifest.filter {
      $0.mediaType == "application/xhtml+xml" && !$0.properties.contains("nav")
    }
    lacksOrder = listed.isEmpty && !declared.isEmpty
    let undeclared =
      listed.isEmpty && declared.isEmpty ? PackageDocument.undeclared(files, manifest) : []
    lacksTexts = !undeclared.isEmpty
    let texts = declared + undeclared
    self.spine =
      lacksOrder || lacksTexts
      ? texts.prefix(limits.pages).map {
        SpineItem(
          item: $0, isLinear: true, isFixedLayout: isFixed, spread: SpreadRules([], book: mode))
      } : listed
    ncx =
      spine?.attribute("toc").flatMap { items[$0.trimmed]?.path }
      ?? manifest.first { $0.mediaType == "application/x-dtbncx+xml" }?.path
      ?? manifest.first { $0.path?.lowercased().hasSuffix(".ncx") == true }?.path
    navigation = manifest.first { $0.properties.contains("nav") }?.path
    isRightToLeft = spine?.attribute("page-progression-direction") == "rtl"
    guide = (root.child("guide")?.children("reference") ?? []).map {
      PackageDocument.part($0, path)
    }
    covers =
      PackageDocument.covers(root, path, manifest) + PackageDocument.likelyCovers(manifest)
  }

  /// Returns what an entry of the spine names; `nil` if the manifest does not have it.
  private static func listed(
    _ reference: XMLElement, _ items: [String: Item], _ isFixed: Bool, _ mode: SpreadRules.Mode
  ) -> SpineItem? {
    guard let item = reference.attribute("idref").flatMap({ items[$0.trimmed] }) else {
      return nil
    }
    let properties = reference.attribute("properties") ?? ""
    let isReflowable = properties.contains("rendition:layout-reflowable")
    return SpineItem(
      item: item, isLinear: reference.attribute("linear") != "no",
      isFixedLayout: !isReflowable
        && (isFixed || properties.contains("rendition:layout-pre-paginated")),
      spread: SpreadRules(properties.split(whereSeparator: \.isWhitespace), book: mode))
  }

  /// Returns items for texts that the manifest lacks, in the natural order of their names.
  private static func undeclared(_ files: [String], _ manifest: [Item]) -> [Item] {
    let known = Set(manifest.compactMap(\.path))
    let texts = files.filter { file in
      [".xhtml", ".html", ".htm"].contains { file.lowercased().hasSuffix($0) }
        && !file.hasPrefix("__MACOSX/") && !known.contains(file)
    }
    return NaturalOrder.order(texts).map {
      Item(
        id: "", path: texts[$0], mediaType: "application/xhtml+xml", properties: [], fallback: nil,
        overlay: nil)
    }
  }

  private static func item(_ element: XMLElement, _ path: String) -> Item? {
    // White space around an id is not part of it (XML 1.0 section 3.3.3).
    guard let id = element.attribute("id")?.trimmed, let href = element.attribute("href")?.trimmed
    else { return nil }
    let local = String(href.prefix { $0 != "#" && $0 != "?" })
    return Item(
      id: id, path: EntryPath.resolve(local, from: path),
      mediaType: (element.attribute("media-type") ?? "").lowercased(),
      properties: Set((element.attribute("properties") ?? "").split(separator: " ")),
      fallback: element.attribute("fallback")?.trimmed,
      overlay: element.attribute("media-overlay")?.trimmed)
  }

  private static func part(_ element: XMLElement, _ path: String) -> Part {
    let href = element.attribute("href") ?? ""
    let local = EntryPath.resolve(String(href.prefix { $0 != "#" }), from: path)
    let fragment = href.drop { $0 != "#" }
    let title = element.attribute("title")?.trimmed ?? ""
    return Part(
      title: title.isEmpty ? (element.attribute("type") ?? "").replacing("-", with: " ") : title,
      href: local.map { $0 + fragment })
  }

  private static func covers(
    _ root: XMLElement, _ path: String, _ manifest: [Item]
  ) -> [String] {
    var found = manifest.filter { $0.properties.contains("cover-image") }.compactMap(\.path)
    for meta in root.child("metadata")?.descendants("meta") ?? []
    where meta.attribute("name") == "cover" {
      guard let content = meta.attribute("content") else { continue }
      if let item = manifest.first(where: { $0.id == content })?.path {
        found.append(item)
      } else if let resolved = EntryPath.resolve(content, from: path) {
        found.append(resolved)
      }
    }
    for reference in root.child("guide")?.children("reference") ?? []
    where reference.attribute("type") == "cover" {
      let href = reference.attribute("href") ?? ""
      if let resolved = EntryPath.resolve(String(href.prefix { $0 != "#" }), from: path) {
        found.append(resolved)
      }
    }
    return found
  }

  /// Returns images that are covers by their names only.
  private static func likelyCovers(_ manifest: [Item]) -> [String] {
    manifest.filter { item in
      guard item.mediaType.hasPrefix("image/"), let path = item.path else { return false }
      let file = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...]
      let names = [item.id.lowercased(), file.lowercased()]
      return names.contains { $0.contains("cover") } && !names.contains { $0.contains("back") }
    }.compactMap(\.path)
  }
}
