import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// Why an item could not be exported.
package struct ExportError: Error, Sendable, CustomStringConvertible {
  /// One sentence that names the file or item and what to do.
  package let description: String
  /// Whether the error affects this item only, so that the export continues with the others.
  package var isOfItem = false
}

/// Reads the files of a bundle for an export.
struct BundleFiles {
  let root: String
  let item: CatalogItem
  let page: [UInt8]
  /// The bundle's record; `nil` if it is missing or unreadable.
  let record: ItemRecord?
  private let types: [String: String]

  init(root: String, item: CatalogItem) throws(ExportError) {
    self.root = root
    self.item = item
    guard let page = ArchiveFile("\(item.folder)/index.html", in: root).bytes else {
      throw ExportError(
        description: "\(item.folder)/index.html is missing; see 'archiver verify'")
    }
    self.page = page
    let json = ArchiveFile("\(item.folder)/\(ItemRecord.fileName)", in: root).bytes
    // Without a record, media types follow from file names.
    record = json.flatMap { try? ItemRecord(json: $0, path: ItemRecord.fileName) }
    types = Dictionary(
      (record?.assets ?? []).map { ($0.path, $0.mediaType) }, uniquingKeysWith: { one, _ in one })
  }

  /// Returns the path in the bundle to which a relative URL of its page refers; `nil` if the URL
  /// leads out of the bundle or the file does not exist.
  func path(_ address: String) -> String? {
    guard let file = address.split(separator: "#", maxSplits: 1).first, !address.hasPrefix("#")
    else { return nil }
    let path = PercentEncoding.decoded(String(file.split(separator: "?", maxSplits: 1)[0]))
    let isInside = path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      !$0.isEmpty && $0 != "." && $0 != ".."
    }
    guard isInside, !path.contains(":"), byteCount(path) != nil else { return nil }
    return path
  }

  /// Returns the absolute path of a file of the bundle.
  func file(_ path: String) -> String { "\(root)/\(item.folder)/\(path)" }

  /// Returns the size of a regular file; `nil` for anything else. Symbolic links are not followed.
  func byteCount(_ path: String) -> Int? {
    ArchiveFile("\(item.folder)/\(path)", in: root).byteCount
  }

  /// Returns the content of a regular file; `nil` for anything else. Symbolic links are not
  /// followed.
  func bytes(_ path: String) -> [UInt8]? {
    ArchiveFile("\(item.folder)/\(path)", in: root).bytes
  }

  /// Returns the folder of the item to which a relative URL of the page leads, without its
  /// fragment; `nil` if the URL leads out of the archive.
  func folder(_ address: String) -> String? {
    var parts = item.folder.split(separator: "/").map(String.init)
    let path = address.split(separator: "#", omittingEmptySubsequences: false)[0]
    for part in path.split(separator: "/") {
      if part == ".." {
        if parts.popLast() == nil { return nil }
      } else if part != "index.html" {
        parts.append(PercentEncoding.decoded(String(part)))
      }
    }
    return parts.joined(separator: "/")
  }

  func mediaType(_ path: String) -> String {
    if let known = types[path] { return known }
    let ending = path.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return BundleFiles.known[ending] ?? "application/octet-stream"
  }

  private static let known = [
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "gif": "image/gif",
    "webp": "image/webp", "avif": "image/avif", "svg": "image/svg+xml", "ico": "image/x-icon",
    "bmp": "image/bmp", "mp3": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg",
    "wav": "audio/wav", "mp4": "video/mp4", "webm": "video/webm", "pdf": "application/pdf",
    "epub": "application/epub+zip",
  ]
}
