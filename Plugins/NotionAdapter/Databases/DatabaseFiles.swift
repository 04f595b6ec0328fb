import ArchiverCore

/// The files attached to a database's page.
struct DatabaseFiles: Sendable {
  let content: DatabaseContent
  let words: PropertyText

  /// Returns `database.csv`, numbered if there are several tables, and `database.json`.
  func attachments() -> [Attachment] {
    var files = content.sources.enumerated().map { index, source in
      let name = index == 0 ? "database.csv" : "database-\(index + 1).csv"
      return Attachment(
        .file, .inline(csv(source)), name: name, mediaType: "text/csv",
        caption: "All rows as a table\(index == 0 ? "" : ": \(source.schema.title)")")
    }
    files.append(
      Attachment(
        .file, .inline(json()), name: "database.json", mediaType: "application/json",
        caption: "All rows with every detail"))
    return files
  }

  /// Returns CSV with a header (RFC 4180). Text that a spreadsheet would execute as a formula
  /// begins with an apostrophe here and is unchanged in `database.json`.
  func csv(_ source: DatabaseContent.Source) -> [UInt8] {
    var bytes: [UInt8] = []
    let columns = source.schema.columns
    DatabaseFiles.line(columns.map(\.name) + ["Notion ID"], to: &bytes)
    for row in source.rows {
      let cells = columns.map { column in
        row.property(column).map { cell($0, column) } ?? ""
      }
      DatabaseFiles.line(cells + [NotionID(row["id"])?.hex ?? ""], to: &bytes)
    }
    return bytes
  }

  private func cell(_ property: JSONValue, _ column: PropertySchema) -> String {
    guard column.type == "files", let files = property["files"]?.array else {
      return words.text(property)
    }
    return files.map { value in
      let name = PropertyText.file(value)
      guard let place = NotionFile(value)?.place else { return name }
      return "\(name) (\(place))"
    }.joined(separator: ", ")
  }

  /// Returns a cell that no spreadsheet reads as a formula: with an apostrophe if it begins like
  /// one and is not a number.
  static func inert(_ cell: String) -> String {
    guard let first = cell.utf8.first else { return cell }
    switch first {
    case UInt8(ascii: "="), UInt8(ascii: "@"), 0x09, 0x0D: return "'" + cell
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      let isNumber = cell.utf8.dropFirst().allSatisfy { byte in
        (0x30...0x39).contains(byte) || " .,%()/".utf8.contains(byte)
      }
      return isNumber ? cell : "'" + cell
    default: return cell
    }
  }

  private static func line(_ cells: [String], to bytes: inout [UInt8]) {
    for (index, cell) in cells.lazy.map(inert).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      let needsQuotes = cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
      guard needsQuotes else {
        bytes += cell.utf8
        continue
      }
      bytes.append(0x22)
      for byte in cell.utf8 {
        if byte == 0x22 { bytes.append(0x22) }
        bytes.append(byte)
      }
      bytes.append(0x22)
    }
    bytes += "\r\n".utf8
  }

  /// Returns the database, its tables with their rows, and its views, without signed URLs.
  func json() -> [UInt8] {
    var text = JSONText()
    text.raw("{\"database\":")
    text.write(SignedAddress.removed(from: content.record))
    text.raw(",\"data_sources\":[")
    for (index, source) in content.sources.enumerated() {
      text.raw(index > 0 ? ",\n{\"data_source\":" : "\n{\"data_source\":")
      text.write(SignedAddress.removed(from: source.record))
      text.raw(",\"rows\":[")
      for (index, row) in source.rows.enumerated() {
        text.raw(index > 0 ? ",\n" : "\n")
        text.write(SignedAddress.removed(from: row.namingFiles))
      }
      text.raw("]}")
    }
    text.raw("],\"views\":")
    text.write(SignedAddress.removed(from: .array(content.viewRecords)))
    text.raw("}\n")
    return text.bytes
  }

  /// Returns the content of `source.json`: everything except the rows, which are in separate files.
  func record() -> [UInt8] {
    JSONText.bytes(
      of: SignedAddress.removed(from: [
        "database": content.record, "data_sources": .array(content.sources.map(\.record)),
        "views": .array(content.viewRecords),
      ]))
  }
}

extension JSONValue {
  /// Returns the value of a files property, or of a rollup of files, in which files outside `kept` link to the
  /// page of their row.
  func leading(to row: NotionID, unless kept: Set<String>) -> JSONValue {
    guard case .object(var members) = self else { return self }
    if case .object(var rollup)? = members["rollup"], let items = rollup["array"]?.array {
      rollup["array"] = .array(items.map { $0.leading(to: row, unless: kept) })
      members["rollup"] = .object(rollup)
      return .object(members)
    }
    guard let files = members["files"]?.array else { return self }
    members["files"] = .array(
      files.map { value in
        guard let file = NotionFile(value), file.isHosted, !kept.contains(file.url),
          !file.isPicture
        else { return value }
        return [
          "name": .string(file.displayName), "type": "external",
          "external": ["url": .string(row.address)],
        ]
      })
    return .object(members)
  }

  /// The value with a member `archived` beside each file's URL: the path of the file in the bundle.
  var namingFiles: JSONValue {
    switch self {
    case .array(let elements): return .array(elements.map(\.namingFiles))
    case .object(var members):
      let file = members["type"].flatMap { type in
        ["file", "external"].contains(type.string) ? NotionFile(self) : nil
      }
      for (key, member) in members { members[key] = member.namingFiles }
      if let file { members["archived"] = .string(file.place) }
      return .object(members)
    default: return self
    }
  }
}

extension NotionFile {
  /// A placeholder for the path of the file in the bundle.
  fileprivate var place: String {
    let address = isHosted ? String(url.prefix { $0 != "?" }) : url
    return "archived-file:\(address)"
  }
}
