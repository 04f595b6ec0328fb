import ArchiverCore
import ArchiverExport
import ArchiverStorage

/// `archiver export --highlights`, `--bookmarks`, `--json-lines` and `--wacz`.
extension ExportCommand {
  static func writeHighlights(
    _ items: [CatalogItem], to target: String, _ invocation: Invocation
  ) throws {
    guard let format = HighlightExport.Format(path: target) else {
      throw invocation.misuse(
        "\(target): the file extension selects the format: .md, .json or .csv")
    }
    let file = try HighlightExport.file(items, format)
    try write(file.bytes, to: target)
    tell(format.rawValue, "highlight", file.count, to: target, invocation)
  }

  static func writeBookmarks(
    _ items: [CatalogItem], to target: String, _ invocation: Invocation
  ) throws {
    let outcome = BookmarkExport.file(items)
    try write(outcome.bytes, to: target)
    let environment = invocation.environment
    if !outcome.left.isEmpty {
      environment.complain(
        "left out: \(Quantity.count(outcome.left.count, "item")) without a web address")
    }
    if outcome.changedLabels > 0 {
      environment.complain(
        "commas separate labels there; replaced by a space in "
          + "\(Quantity.count(outcome.changedLabels, "label"))")
    }
    tell("bookmarks", "bookmark", outcome.count, to: target, invocation)
  }

  static func writeRecords(
    _ items: [CatalogItem], to target: String, _ root: String, _ invocation: Invocation
  ) throws -> ExitCode {
    let outcome = try RecordExport.write(items, root: root, to: target)
    for failure in outcome.failed {
      invocation.environment.complain("\(failure.folder): \(DisplayText.line(failure.reason))")
    }
    tell("json-lines", "item", outcome.count, to: target, invocation)
    return outcome.failed.isEmpty ? .success : .someFailed
  }

  static func writeWebArchive(
    _ items: [CatalogItem], to target: String, _ root: String, _ invocation: Invocation
  ) throws -> ExitCode {
    let selection = invocation.arguments.operands.isEmpty ? chosen(invocation) : ""
    let one = items.count == 1 ? items.first?.metadata.title : nil
    let title = invocation.arguments.text(title) ?? one ?? selection
    let outcome = try WebArchiveExport.write(
      items, root: root, title: title.isEmpty ? "Archive" : title,
      software: "archiver \(invocation.services.version)", to: target)
    tell(outcome, invocation)
    invocation.report(
      [
        "event": "exported", "format": "wacz", "file": .string(target),
        "items": .integer(outcome.pages), "files": .integer(outcome.files),
        "left": .array(outcome.left.map { .string($0.path) }),
      ],
      "Wrote \(Quantity.count(outcome.pages, "item")) with "
        + "\(Quantity.count(outcome.files, "file")) to \(target).\n")
    return outcome.failed.isEmpty ? .success : .someFailed
  }

  /// Reports the parts that a web archive lacks.
  private static func tell(_ outcome: WebArchiveExport.Outcome, _ invocation: Invocation) {
    var lines = outcome.failed.map { "\($0.folder): \(DisplayText.line($0.reason))" }
    if !outcome.withoutAddress.isEmpty {
      let count = Quantity.count(outcome.withoutAddress.count, "item")
      lines.append("left out: \(count) without a web address")
    }
    for file in outcome.left {
      lines.append("left out: \(file.path) (\(Quantity.bytes(file.byteCount)))")
    }
    for folder in outcome.withoutText {
      lines.append("left out of the search: the text of \(folder)")
    }
    for folder in outcome.books { lines.append("left out: the pages of the book in \(folder)") }
    for line in lines { invocation.environment.complain(line) }
  }

  static func write(_ bytes: [UInt8], to target: String) throws {
    do throws(AtomicFile.Failure) {
      try AtomicFile.write(bytes, to: target, mode: 0o644, isNamedByUser: true)
    } catch {
      throw StorageError(.notWritable, "cannot be written: \(error.description)")
    }
  }

  private static func tell(
    _ format: String, _ what: String, _ count: Int, to target: String, _ invocation: Invocation
  ) {
    invocation.report(
      [
        "event": "exported", "format": .string(format), "file": .string(target),
        "items": .integer(count),
      ], "Wrote \(Quantity.count(count, what)) to \(target).\n")
  }
}
