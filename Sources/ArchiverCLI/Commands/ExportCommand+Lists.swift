import ArchiverCore
import ArchiverExport
import ArchiverStorage

/// `archiver export --highlights`, `--bookmarks` and `--json-lines`.
extension ExportCommand {
  static func writeHighlights(
    _ items: [CatalogItem], to target: String, _ invocation: Invocation
  ) throws {
    guard let format = HighlightExport.Format(path: target) else {
      throw UsageError(
        "\(target): the file extension selects the format: .md, .json or .csv",
        helpPath: invocation.path)
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
      environment.error.write(
        "archiver: left out: \(Quantity.count(outcome.left.count, "item")) without a web address\n")
    }
    if outcome.changedLabels > 0 {
      environment.error.write(
        "archiver: commas separate labels there; replaced by a space in "
          + "\(Quantity.count(outcome.changedLabels, "label"))\n")
    }
    tell("bookmarks", "bookmark", outcome.count, to: target, invocation)
  }

  static func writeRecords(
    _ items: [CatalogItem], to target: String, _ root: String, _ invocation: Invocation
  ) throws -> ExitCode {
    let outcome = try RecordExport.write(items, root: root, to: target)
    for failure in outcome.failed {
      invocation.environment.error.write(
        "archiver: \(failure.folder): \(DisplayText.line(failure.reason))\n")
    }
    tell("json-lines", "item", outcome.count, to: target, invocation)
    return outcome.failed.isEmpty ? .success : .someFailed
  }

  private static func write(_ bytes: [UInt8], to target: String) throws {
    do throws(AtomicFile.Failure) {
      try AtomicFile.write(bytes, to: target, mode: 0o644, isNamedByUser: true)
    } catch {
      throw StorageError(.notWritable, "cannot be written: \(error.description)")
    }
  }

  private static func tell(
    _ format: String, _ what: String, _ count: Int, to target: String, _ invocation: Invocation
  ) {
    if invocation.arguments.has(.json) {
      let line: JSONLine = [
        "event": "exported", "format": .string(format), "file": .string(target),
        "items": .integer(count),
      ]
      return invocation.environment.output.write(line.text)
    }
    invocation.environment.output.write("Wrote \(Quantity.count(count, what)) to \(target).\n")
  }
}
