import ArchiverCore
import ArchiverMarkup
package import ArchiverStorage

/// Exports items as a bookmark file in Netscape's format, which browsers and bookmark managers import.
package enum BookmarkExport {
  package struct Outcome: Sendable {
    package var bytes: [UInt8] = []
    package var count = 0
    /// The titles of items left out because they have no web address.
    package var left: [String] = []
    /// The number of labels in which a comma, the separator of the format, was replaced by a space.
    package var changedLabels = 0
  }

  /// Returns the content of the file.
  package static func file(_ items: [CatalogItem]) -> Outcome {
    var outcome = Outcome()
    var html = HTMLWriter()
    html.raw("<!DOCTYPE NETSCAPE-Bookmark-file-1>\n")
    html.raw("<META HTTP-EQUIV=\"Content-Type\" CONTENT=\"text/html; charset=UTF-8\">\n")
    html.raw("<TITLE>Bookmarks</TITLE>\n<H1>Bookmarks</H1>\n<DL><p>\n")
    for item in items {
      guard let url = item.metadata.url,
        ["http://", "https://"].contains(where: url.lowercased().hasPrefix)
      else {
        outcome.left.append(item.metadata.title)
        continue
      }
      outcome.changedLabels += item.metadata.labels.count { $0.contains(",") }
      write(item, url, &html)
      outcome.count += 1
    }
    html.raw("</DL><p>\n")
    outcome.bytes = html.bytes
    return outcome
  }

  private static func write(_ item: CatalogItem, _ url: String, _ html: inout HTMLWriter) {
    let metadata = item.metadata
    let labels = metadata.labels.map { $0.replacing(",", with: " ").oneLine }
      .filter { !$0.isEmpty }
    html.raw("    <DT>")
    html.element(
      "A",
      [
        "HREF": url, "ADD_DATE": seconds(metadata.added ?? item.firstArchived),
        "LAST_MODIFIED": metadata.modified.map(seconds),
        "TAGS": labels.isEmpty ? nil : labels.joined(separator: ","),
      ], text: (metadata.title.isEmpty ? url : metadata.title).oneLine)
    html.raw("\n")
    guard let summary = metadata.summary, !summary.isEmpty else { return }
    html.raw("    <DD>")
    // Some importers read the file line by line.
    html.text(summary.oneLine)
    html.raw("\n")
  }

  private static func seconds(_ date: Date) -> String {
    String(Int(date.timeIntervalSince1970.rounded(.down)))
  }
}
