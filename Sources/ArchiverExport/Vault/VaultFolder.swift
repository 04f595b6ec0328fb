import ArchiverCore
import ArchiverStorage

/// The directory of a vault, in which the user edits files too.
struct VaultFolder {
  let root: String

  /// Returns the absolute path of a file, for messages.
  func place(_ path: String) -> String { "\(root)/\(path)" }

  /// Returns the content of a file; `nil` if it does not exist.
  func bytes(_ path: String) throws(ExportError) -> [UInt8]? {
    guard exists(path) else { return nil }
    do {
      return Array(try Data(contentsOf: URL(filePath: place(path))))
    } catch {
      throw failure(path, "read", error)
    }
  }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: place(path)) }

  /// Writes a file atomically, and creates its folders.
  func write(_ bytes: [UInt8], to path: String) throws(ExportError) {
    do {
      try makeFolder(of: path)
      try Data(bytes).write(to: URL(filePath: place(path)), options: .atomic)
    } catch {
      throw failure(path, "written", error)
    }
  }

  /// Copies a file into the vault and replaces an existing one.
  func copy(_ source: String, to path: String) throws(ExportError) {
    let draft = place(path) + ".new"
    do {
      try makeFolder(of: path)
      if FileManager.default.fileExists(atPath: draft) {
        try FileManager.default.removeItem(atPath: draft)
      }
      try FileManager.default.copyItem(atPath: source, toPath: draft)
      if exists(path) { try FileManager.default.removeItem(atPath: place(path)) }
      try FileManager.default.moveItem(atPath: draft, toPath: place(path))
    } catch {
      throw failure(path, "written", error)
    }
  }

  /// Removes a file, and folders that are empty afterwards.
  func remove(_ path: String) throws(ExportError) {
    do {
      if exists(path) { try FileManager.default.removeItem(atPath: place(path)) }
      var parts = path.split(separator: "/").dropLast()
      while !parts.isEmpty {
        let folder = place(parts.joined(separator: "/"))
        guard try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty else { return }
        try FileManager.default.removeItem(atPath: folder)
        parts = parts.dropLast()
      }
    } catch {
      throw failure(path, "removed", error)
    }
  }

  private func makeFolder(of path: String) throws {
    let folder = place(path).split(separator: "/", omittingEmptySubsequences: false).dropLast()
    try FileManager.default.createDirectory(
      atPath: folder.joined(separator: "/"), withIntermediateDirectories: true)
  }

  private func failure(_ path: String, _ what: String, _ error: any Error) -> ExportError {
    let reason = (error as? CocoaError).flatMap { VaultFolder.reasons[$0.code] } ?? "\(error)"
    return ExportError(description: "\(place(path)) cannot be \(what): \(reason)")
  }

  private static let reasons: [CocoaError.Code: String] = [
    .fileWriteNoPermission: "permission denied", .fileReadNoPermission: "permission denied",
    .fileWriteOutOfSpace: "no space left", .fileWriteVolumeReadOnly: "the disk is read-only",
    .fileWriteInvalidFileName: "the file system does not allow this name",
  ]
}
