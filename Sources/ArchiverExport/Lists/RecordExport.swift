import ArchiverCore
import ArchiverSite
package import ArchiverStorage

/// Exports items as JSON lines, one object per item: the keys of `item.json`, the item's state, and
/// its content as HTML.
package enum RecordExport {
  private struct Line: Encodable {
    let record: ItemRecord
    let state: String
    let html: String?

    private enum Key: CodingKey { case state, html }

    func encode(to encoder: any Encoder) throws {
      try record.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(state, forKey: .state)
      try container.encodeIfPresent(html, forKey: .html)
    }
  }

  package struct Outcome: Sendable {
    package var count = 0
    /// The folders of items that could not be read, and the reasons.
    package var failed: [(folder: String, reason: String)] = []
  }

  /// Writes the file atomically, with one item in memory at a time.
  package static func write(
    _ items: [CatalogItem], root: String, to path: String
  ) throws -> Outcome {
    var outcome = Outcome()
    let file = try DraftFile(path)
    let encoder = ItemRecord.encoder([.sortedKeys, .withoutEscapingSlashes])
    for item in items {
      try Task.checkCancellation()
      let files: BundleFiles
      do {
        files = try BundleFiles(root: root, item: item)
      } catch {
        outcome.failed.append((item.folder, error.description))
        continue
      }
      guard let record = files.record else {
        outcome.failed.append((item.folder, "its \(ItemRecord.fileName) cannot be read"))
        continue
      }
      let html = ReadingPage.body(of: files.page).map { String(decoding: $0, as: UTF8.self) }
      let line = Line(record: record, state: item.state.rawValue, html: html)
      try file.write(Array(try encoder.encode(line)) + [0x0A])
      outcome.count += 1
    }
    try file.finish()
    return outcome
  }
}
