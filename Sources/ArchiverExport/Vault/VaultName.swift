import ArchiverCore
import ArchiverStorage

/// A template for names of files in a vault: text with fields in braces, such as `{date} {title}`.
package struct VaultName: Sendable {
  /// The fields allowed between braces, and their meanings.
  package static let fields: [(name: String, help: String)] = [
    ("title", "the title"), ("date", "the day it was saved"), ("year", "the year it was saved"),
    ("source", "the source's name"), ("site", "the web site"), ("author", "the first author"),
    ("kind", "article, book, page or the like"), ("id", "a short id of letters and digits"),
  ]

  /// Why a template is invalid.
  package struct Invalid: Error, Sendable, CustomStringConvertible {
    /// The reason, as a clause.
    package let description: String
  }

  private enum Part {
    case text(String)
    case field(String)
  }

  private var parts: [Part] = []

  /// Parses a template, in which slashes separate folders. Throws for an unknown field.
  package init(_ template: String) throws(Invalid) {
    var rest = template[...]
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
      guard let close = rest[open...].firstIndex(of: "}") else {
        throw Invalid(description: "a brace is not closed")
      }
      let name = String(rest[rest.index(after: open)..<close])
      guard VaultName.fields.contains(where: { $0.name == name }) else {
        let known = VaultName.fields.map { "{\($0.name)}" }.joined(separator: ", ")
        throw Invalid(description: "{\(name)} is unknown; use \(known)")
      }
      parts.append(.field(name))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.text(String(rest))) }
    let hasField = parts.contains { if case .field = $0 { true } else { false } }
    guard hasField else {
      throw Invalid(
        description: "it has no field such as {title}, so all items would share one file")
    }
  }

  /// Returns the path of an item's file without its extension, valid on every file system.
  func path(_ item: CatalogItem) -> String {
    var path = ""
    for part in parts {
      switch part {
      case .text(let text): path += text
      case .field(let name):
        path += VaultName.value(name, item).map { $0 == "/" || $0 == "\\" ? "-" : String($0) }
          .joined()
      }
    }
    let names = path.split(separator: "/").map { VaultName.safe(String($0)) }.filter { !$0.isEmpty }
    return names.isEmpty ? VaultName.shortID(item) : names.joined(separator: "/")
  }

  /// Returns the last part of the item's folder name, which is unique.
  static func shortID(_ item: CatalogItem) -> String {
    item.folder.split(separator: "-").last.map(String.init) ?? item.key.id
  }

  private static func value(_ field: String, _ item: CatalogItem) -> String {
    let metadata = item.metadata
    let day = UTCTime.day(metadata.added ?? item.firstArchived)
    switch field {
    case "title": return metadata.title.isEmpty ? shortID(item) : metadata.title
    case "date": return day
    case "year": return String(day.prefix(4))
    case "source": return item.key.source
    case "site": return metadata.siteName ?? metadata.site ?? "-"
    case "author": return metadata.authors.first ?? "-"
    case "kind": return metadata.kind.rawValue
    default: return shortID(item)
    }
  }

  /// The maximum length of a name in bytes, without suffix and extension.
  private static let longest = 120

  /// Returns a name that is valid on Windows, macOS and Linux and in links between notes.
  static func safe(_ name: String) -> String {
    var kept = ""
    for character in name {
      let isBad = character.unicodeScalars.contains { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
          .paragraphSeparator:
          true
        default: "<>:\"/\\|?*#^[]%".unicodeScalars.contains(scalar)
        }
      }
      let next = isBad || character.isWhitespace ? " " : String(character)
      if next == " ", kept.isEmpty || kept.hasSuffix(" ") { continue }
      guard kept.utf8.count + next.utf8.count <= longest else { break }
      kept += next
    }
    while let last = kept.last, last == " " || last == "." { kept.removeLast() }
    while let first = kept.first, first == " " || first == "." { kept.removeFirst() }
    let stem = kept.split(separator: ".").first.map { $0.lowercased() } ?? ""
    return reserved.contains(stem) ? "_" + kept : kept
  }

  private static let reserved: Set<String> = {
    var names: Set<String> = ["con", "prn", "aux", "nul"]
    for digit in 1...9 { names.formUnion(["com\(digit)", "lpt\(digit)"]) }
    return names
  }()
}
