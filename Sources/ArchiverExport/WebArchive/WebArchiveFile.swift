import ArchiverCore
import ArchiverEPUB
import ArchiverStorage

/// A web archive being written: a WARC file with its index and the list of its pages, packed in a
/// ZIP file (WACZ 1.1.1).
struct WebArchiveFile {
  private struct Resource: Encodable {
    let name: String
    let path: String
    let hash: String
    let bytes: Int
  }

  private struct Package: Encodable {
    var profile = "data-package"
    var wacz_version = "1.1.1"
    let title: String
    let created: String
    let software: String
    let resources: [Resource]
  }

  private struct PackageDigest: Encodable {
    var path = "datapackage.json"
    let hash: String
  }

  private struct PageList: Encodable {
    var format = "json-pages-1.0"
    var id = "pages"
    var title = "All Pages"
    var hasText = true
  }

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
  private var index: [CDXJLine] = []
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
    pages = Array(try encoder.encode(PageList())) + [0x0A]
  }

  mutating func add(_ record: WARCRecord) throws {
    let bytes = try record.compressed()
    if record.kind == .resource {
      index.append(
        try CDXJLine(
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
    var resources = [
      Resource(
        name: WebArchiveFile.recordsName, path: recordsPath, hash: "sha256:" + hash.finish(),
        bytes: byteCount)
    ]
    let lines = index.sorted().map(\.text).joined()
    for (path, bytes) in [
      ("indexes/index.cdx.gz", try GZip.compressed(Array(lines.utf8))),
      ("pages/pages.jsonl", pages),
    ] {
      try zip.add(path, bytes, isStored: path.hasSuffix(".gz"))
      let name = path.split(separator: "/").last.map(String.init) ?? path
      resources.append(
        Resource(
          name: name, path: path, hash: "sha256:" + Digest.sha256Hex(bytes), bytes: bytes.count))
    }
    let package = Array(
      try encoder.encode(
        Package(
          title: title, created: UTCTime.text(date), software: software, resources: resources)))
    try zip.add("datapackage.json", package)
    let digest = PackageDigest(hash: "sha256:" + Digest.sha256Hex(package))
    try zip.add("datapackage-digest.json", Array(try encoder.encode(digest)))
    try zip.close()
  }
}
