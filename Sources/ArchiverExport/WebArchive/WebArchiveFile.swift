import ArchiverCore
import ArchiverEPUB
import ArchiverStorage

/// A web archive being written: a WARC file with its index and the list of its pages, packed in a
/// ZIP file (WACZ 1.1.1).
struct WebArchiveFile {
  struct Page: Encodable {
    let id: String
    let url: String
    let ts: String
    let title: String
    let text: String
  }

  private static let recordsName = "data.warc.gz"

  private let path: String
  private let records: DraftFile
  private let hash = DigestStream()
  private(set) var byteCount = 0
  /// Lines of `CDXJLine`.
  private var index: [String] = []
  private var pages: [UInt8] = []
  private let encoder = JSONEncoder()

  /// - Parameters:
  ///   - path: The file that is replaced when the web archive is complete.
  ///   - software: The program and its version.
  ///   - date: The time of the newest item.
  init(path: String, software: String, date: Date) throws {
    self.path = path
    records = try DraftFile(path)
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    try add(
      WARCRecord(
        .info, address: nil, date: date, mediaType: "application/warc-fields",
        content: Array("software: \(software)\r\nformat: WARC File Format 1.1\r\n".utf8)))
    let head: JSONValue = [
      "format": "json-pages-1.0", "id": "pages", "title": "All Pages", "hasText": true,
    ]
    pages = Array(try encoder.encode(head)) + [0x0A]
  }

  mutating func add(_ record: WARCRecord) throws {
    let bytes = try record.compressed()
    if record.kind == .resource {
      index.append(
        try CDXJLine.text(
          record, length: bytes.count, offset: byteCount, file: WebArchiveFile.recordsName))
    }
    try records.write(bytes)
    bytes.withUnsafeBytes { hash.update($0) }
    byteCount += bytes.count
  }

  mutating func add(_ page: Page) throws {
    pages += Array(try encoder.encode(page)) + [0x0A]
  }

  /// Packs the file and renames it into place.
  func finish(title: String, software: String, date: Date) throws {
    try records.flush()
    let zip = try ZipWriter(path: path, modified: date)
    let recordsPath = "archive/\(WebArchiveFile.recordsName)"
    try zip.add(recordsPath, file: records.path)
    func resource(_ path: String, sha256: String, _ byteCount: Int) -> JSONValue {
      [
        "name": .string(path.split(separator: "/").last.map(String.init) ?? path),
        "path": .string(path), "hash": .string("sha256:" + sha256), "bytes": .integer(byteCount),
      ]
    }
    var resources = [resource(recordsPath, sha256: hash.finish(), byteCount)]
    let lines = index.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined()
    for (path, bytes) in [
      ("indexes/index.cdx.gz", try GZip.compressed(Array(lines.utf8))),
      ("pages/pages.jsonl", pages),
    ] {
      try zip.add(path, bytes, isStored: path.hasSuffix(".gz"))
      resources.append(resource(path, sha256: Digest.sha256Hex(bytes), bytes.count))
    }
    let description: JSONValue = [
      "profile": "data-package", "wacz_version": "1.1.1", "title": .string(title),
      "created": .string(UTCTime.text(date)), "software": .string(software),
      "resources": .array(resources),
    ]
    let package = Array(try encoder.encode(description))
    try zip.add("datapackage.json", package)
    let digest = ["path": "datapackage.json", "hash": "sha256:" + Digest.sha256Hex(package)]
    try zip.add("datapackage-digest.json", Array(try encoder.encode(digest)))
    try zip.close()
  }
}
