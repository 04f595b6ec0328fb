import ArchiverCore
import ArchiverMarkup
import ArchiverSite
package import ArchiverStorage

/// Exports items as a web archive (WACZ), which replay programs open: each item's page under its
/// web address, and its images and files under theirs.
///
/// The page is the bundle's, with web addresses for its images and links. Files without a web
/// address are embedded in the page. The same items give the same bytes.
package enum WebArchiveExport {
  /// The maximum size in bytes of a file, which is in memory; larger ones are left out.
  package static let largestFile = 256 << 20
  private static let policy =
    "default-src 'none'; img-src * data:; media-src * data:; style-src 'unsafe-inline'; "
    + "base-uri 'none'; form-action 'none'"

  package struct Outcome: Sendable {
    /// The number of items written.
    package var pages = 0
    /// The number of files written besides pages.
    package var files = 0
    /// The titles of items left out because they have no web address.
    package var withoutAddress: [String] = []
    /// Files left out, with their sizes: too large, or with no web address of their own.
    package var left: [(path: String, byteCount: Int)] = []
    /// The folders of books whose pages are not part of the file.
    package var books: [String] = []
    /// The folders of items whose text the list of pages lacks, so that no search finds them.
    package var withoutText: [String] = []
    /// The folders of items that could not be read, and the reasons; those with an unreadable
    /// record are written without it.
    package var failed: [(folder: String, reason: String)] = []
  }

  /// Writes items of the archive at `root` to a file, atomically.
  ///
  /// - Parameter software: The program and its version, which the file names as its author.
  package static func write(
    _ items: [CatalogItem], root: String, title: String, software: String, to path: String
  ) throws -> Outcome {
    var outcome = Outcome()
    // The ZIP format has no earlier years.
    let date = items.map(\.lastArchived).max() ?? Date(timeIntervalSince1970: 315_532_800)
    var archive = try WebArchiveFile(path: path, software: software, date: date)
    var written: Set<String> = []
    for item in items {
      try Task.checkCancellation()
      guard let address = WebURL(item.metadata.url ?? "")?.replayAddress else {
        outcome.withoutAddress.append(item.metadata.title)
        continue
      }
      let files: BundleFiles
      do {
        files = try BundleFiles(root: root, item: item)
      } catch {
        outcome.failed.append((item.folder, error.description))
        continue
      }
      try write(files, address, to: &archive, &written, &outcome)
    }
    try archive.finish(title: title, software: software, date: date)
    return outcome
  }

  private static func write(
    _ files: BundleFiles, _ address: String, to archive: inout WebArchiveFile,
    _ written: inout Set<String>, _ outcome: inout Outcome
  ) throws {
    let item = files.item
    let page = WebArchivePage(files, policy: WebArchiveExport.policy)
    let record = WARCRecord(
      .resource, address: address, date: item.lastArchived, mediaType: "text/html; charset=utf-8",
      content: page.bytes)
    try archive.add(record)
    if let json = files.bytes(ItemRecord.fileName) {
      try archive.add(
        WARCRecord(
          .metadata, address: address, date: item.lastArchived, mediaType: "application/json",
          content: json, subject: record.id))
    }
    if files.record == nil {
      outcome.failed.append((item.folder, "its \(ItemRecord.fileName) cannot be read"))
    }
    for asset in files.record?.assets ?? [] {
      guard let address = page.addresses[asset.path] else {
        if !page.accountsFor(asset.path) {
          outcome.left.append(("\(item.folder)/\(asset.path)", asset.byteCount))
        }
        continue
      }
      guard written.insert("\(asset.sha256) \(address)").inserted else { continue }
      guard asset.byteCount <= WebArchiveExport.largestFile, let bytes = files.bytes(asset.path)
      else {
        outcome.left.append(("\(item.folder)/\(asset.path)", asset.byteCount))
        continue
      }
      try archive.add(
        WARCRecord(
          .resource, address: address, date: item.lastArchived, mediaType: asset.mediaType,
          content: bytes))
      outcome.files += 1
    }
    outcome.left += page.left.map { ("\(item.folder)/\($0.path)", $0.byteCount) }
    if page.lacksBookPages { outcome.books.append(item.folder) }
    let body = ReadingPage.body(of: files.page) ?? []
    let text = try? HTMLSanitizer().plainText(of: body)
    if text == nil { outcome.withoutText.append(item.folder) }
    try archive.add(
      WebArchiveFile.Page(
        id: String(Digest.sha256Hex(item.folder).prefix(16)), url: address,
        ts: UTCTime.text(item.lastArchived),
        title: item.metadata.title.isEmpty ? address : item.metadata.title, text: text ?? ""))
    outcome.pages += 1
  }
}
