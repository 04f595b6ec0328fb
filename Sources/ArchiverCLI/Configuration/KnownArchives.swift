import ArchiverCore
import ArchiverStorage

/// The archives that this user's runs have written to. If one is missing because its disk is not
/// mounted, a run does not begin another on the disk below.
///
/// `$XDG_STATE_HOME/archiver/archives.json`, by default `~/.local/state/archiver/archives.json`: a
/// JSON array of absolute paths, each once. If the file is missing or unreadable, no archive is
/// known.
package struct KnownArchives: Sendable {
  let folder: String
  private var path: String { folder + "/archives.json" }

  /// Throws if an archive is known and its path is missing or empty.
  func requirePresent(_ archive: String) throws(StorageError) {
    guard isLost(archive) else { return }
    throw StorageError(
      .notFound,
      "the archive at \(archive) is missing, although runs have written to it; is its disk "
        + "mounted? Nothing was fetched. To begin a new one there, run once with --new-archive")
  }

  /// Whether an archive is known and its path is missing or empty.
  func isLost(_ archive: String) -> Bool { paths().contains(archive) && isAbsent(archive) }

  /// Whether a path cannot be an archive: it does not exist, or is a directory without visible
  /// entries and without an archive's hidden directory.
  private func isAbsent(_ archive: String) -> Bool {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: archive) else {
      return !FileManager.default.fileExists(atPath: archive)
    }
    return names.allSatisfy { $0 == "lost+found" || $0.hasPrefix(".") && $0 != ".archiver" }
  }

  /// Adds an archive. If the file cannot be written, the archive stays unknown and the run
  /// continues.
  func remember(_ archive: String) {
    var known = paths()
    guard !known.contains(archive) else { return }
    known.append(archive)
    guard let data = try? JSONEncoder().encode(known) else { return }
    makeFolder()
    try? AtomicFile.write(
      String(decoding: data, as: UTF8.self) + "\n", to: path, mode: 0o600, isNamedByUser: true)
  }

  /// Creates the directory, as the sandbox allows writing only to existing ones.
  func makeFolder() { try? FolderPath.make(folder, mode: 0o700) }

  private func paths() -> [String] {
    guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= 1_000_000 else {
      return []
    }
    return (try? JSONDecoder().decode([String].self, from: data)) ?? []
  }
}
