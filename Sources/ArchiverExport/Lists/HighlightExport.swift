import ArchiverCore
package import ArchiverStorage

/// Exports the highlights of items into one file.
package enum HighlightExport {
  package enum Format: String, Sendable, CaseIterable {
    case markdown = "md"
    case json
    /// The columns that Readwise imports.
    case csv

    /// Returns the format for a file name extension.
    package init?(path: String) {
      self.init(rawValue: path.split(separator: ".").last.map { $0.lowercased() } ?? "")
    }
  }

  /// Returns the content of the file and the number of highlights. Items without highlights are
  /// skipped.
  package static func file(
    _ items: [CatalogItem], _ format: Format
  ) throws -> (bytes: [UInt8], count: Int) {
    let items = items.filter { !$0.annotations.isEmpty }
    let count = items.reduce(0) { $0 + $1.annotations.count }
    switch format {
    case .markdown: return (Array(markdown(items).utf8), count)
    case .json: return (try json(items), count)
    case .csv: return (Array(csv(items).utf8), count)
    }
  }

  private static func markdown(_ items: [CatalogItem]) -> String {
    var blocks: [String] = []
    for item in items {
      let metadata = item.metadata
      let title = MarkdownText.escaped(metadata.title.oneLine, linksAddresses: false)
      let name = title.isEmpty ? item.key.id : title
      let isWeb = metadata.url?.lowercased().hasPrefix("http") == true
      let address = isWeb ? metadata.url : nil
      blocks.append("## " + (address.map { "[\(name)](\(MarkdownText.destination($0)))" } ?? name))
      let authors = metadata.authors.joined(separator: ", ")
      if !authors.isEmpty {
        blocks.append(MarkdownText.escapedStart(MarkdownText.escaped(authors)))
      }
      for annotation in item.annotations {
        blocks.append(
          VaultPage.paragraphs(annotation.text).map { "> \($0)" }.joined(separator: "\n>\n"))
        if let note = annotation.note { blocks += VaultPage.paragraphs(note) }
      }
    }
    return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private struct Line: Encodable {
    var source: String
    var item: String
    var title: String
    var authors: [String]
    var url: String?
    var id: String
    var text: String
    var note: String?
    var color: String?
    var created: Date?
  }

  private struct Document: Encodable {
    var format = 1
    var highlights: [Line]
  }

  private static func json(_ items: [CatalogItem]) throws -> [UInt8] {
    let lines = items.flatMap { item in
      item.annotations.map { annotation in
        Line(
          source: item.key.source, item: item.key.id, title: item.metadata.title,
          authors: item.metadata.authors, url: item.metadata.url, id: annotation.id,
          text: annotation.text, note: annotation.note, color: annotation.color,
          created: annotation.created)
      }
    }
    let encoder = ItemRecord.encoder([.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
    return Array(try encoder.encode(Document(highlights: lines))) + [0x0A]
  }

  private static func csv(_ items: [CatalogItem]) -> String {
    var rows = [["Highlight", "Title", "Author", "URL", "Note", "Location", "Date"]]
    for item in items {
      for (index, annotation) in item.annotations.enumerated() {
        rows.append([
          annotation.text, item.metadata.title, item.metadata.authors.joined(separator: ", "),
          item.metadata.url ?? "", annotation.note ?? "", String(index + 1),
          annotation.created.map(UTCTime.text) ?? "",
        ])
      }
    }
    return rows.map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
  }

  /// Returns a field of CSV (RFC 4180).
  private static func field(_ text: String) -> String {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
