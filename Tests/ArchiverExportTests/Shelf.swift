import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage
import ArchiverTestKit

@testable import ArchiverExport

/// A few bundles on the disk, as an archive has them.
final class Shelf {
  let home: String
  var root: String { home + "/archive" }
  private(set) var items: [CatalogItem] = []

  init() throws { home = try TemporaryFolder.make("shelf") }

  deinit {
    // The system cleans up the rest.
    try? FileManager.default.removeItem(atPath: home)
  }

  /// Adds or replaces a bundle.
  @discardableResult
  func put(
    _ id: String, title: String, html: String, assets: [String: String] = [:],
    change: (inout CatalogItem) -> Void = { _ in }
  ) throws -> CatalogItem {
    var metadata = ItemMetadata(kind: .article, title: title)
    metadata.url = "https://example.org/\(id)"
    metadata.added = Date(timeIntervalSince1970: 1_700_000_000)
    var item = CatalogItem(
      key: ItemKey(source: "readeck", id: id), revision: "1", folder: "readeck/\(id)-\(id)\(id)",
      metadata: metadata,
      firstArchived: Date(timeIntervalSince1970: 1_700_000_000 + Double(items.count)),
      lastArchived: Date(timeIntervalSince1970: 1_700_000_000), contentHash: "h")
    change(&item)
    let folder = root + "/" + item.folder
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(
      atPath: folder + "/assets", withIntermediateDirectories: true)
    let page = ReadingPage.render(
      ReadingPageContent(item: item, body: .html(Array(html.utf8))))
    try Data(page).write(to: URL(filePath: folder + "/index.html"))
    var stored: [ItemRecord.Asset] = []
    for (name, text) in assets.sorted(by: { $0.key < $1.key }) {
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/assets/\(name)"))
      let type = name.hasSuffix(".png") ? "image/png" : "application/pdf"
      stored.append(
        ItemRecord.Asset(
          path: "assets/\(name)",
          asset: CachedAsset(
            url: "https://example.org/\(name)",
            object: StoredObject(sha256: Digest.sha256Hex(text), byteCount: text.utf8.count),
            mediaType: type)))
    }
    let record = ItemRecord(item, kind: "readeck", assets: stored, generator: "archiver tests")
    try Data(try record.json()).write(to: URL(filePath: folder + "/item.json"))
    items.removeAll { $0.key == item.key }
    items.append(item)
    return item
  }

  func remove(_ id: String) { items.removeAll { $0.key.id == id } }

  var vault: String { home + "/vault" }

  @discardableResult
  func export(
    _ chosen: [CatalogItem]? = nil, name: String = "{title}", prunes: Bool = false,
    hasChapters: Bool = false, isDry: Bool = false
  ) throws -> VaultExport.Outcome {
    try VaultExport(
      root: root, folder: vault, name: try VaultName(name), words: .english,
      hasChapters: hasChapters, isDry: isDry
    ).write(chosen ?? items, archived: items, prunes: prunes)
  }

  func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: home + "/" + path)), as: UTF8.self)
  }

  func note(_ file: String) throws -> String { try text("vault/" + file) }

  func edit(_ file: String, _ old: String, _ new: String) throws {
    let text = try note(file).replacing(old, with: new)
    try Data(text.utf8).write(to: URL(filePath: vault + "/" + file))
  }

  /// Every file below a folder with its content.
  func files(_ folder: String) throws -> [String: Data] {
    var found: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: home + "/" + folder) {
      let path = home + "/" + folder + "/" + name
      var isFolder: Bool = false
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder else {
        continue
      }
      found[name] = try Data(contentsOf: URL(filePath: path))
    }
    return found
  }
}
