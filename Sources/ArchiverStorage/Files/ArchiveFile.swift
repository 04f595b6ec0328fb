/// A file of an archive, by its path inside the archive.
///
/// No symbolic link inside the archive is followed, neither for the file nor for a directory in its
/// path; such a file counts as missing. The archive's own directory may be behind a link.
package struct ArchiveFile {
  private let root: String
  private let path: String

  /// Names the file at `path`, relative to the archive at `root`.
  package init(_ path: String, in root: String) {
    self.root = root
    self.path = path
  }

  /// The bytes; `nil` if the file is missing or unreadable.
  package var bytes: [UInt8]? {
    // Treat unreadable files as missing.
    guard let (parent, name) = place, let file = try? OpenFile.reading(name, in: parent) else {
      return nil
    }
    return try? file.readAll()
  }

  /// The size of a regular file in bytes; `nil` if it is not a regular file.
  package var byteCount: Int? {
    // Treat unreadable files as missing.
    guard let (parent, name) = place, let status = try? parent.status(name), status.kind == .file
    else { return nil }
    return status.byteCount
  }

  /// The names in a directory, sorted by their bytes; empty if the path does not name a directory.
  package var names: [String] {
    // Treat unreadable directories as empty.
    guard let (parent, name) = place, let folder = try? parent.folder(name) else { return [] }
    return ((try? folder.entries()) ?? []).map(\.name)
  }

  /// Throws if the path, or a component of it, is a symbolic link: writing would change its target.
  package func requireNoLink() throws(StorageError) {
    var folder = try Folder.open(path: root)
    for name in path.pathComponents {
      guard let status = try folder.status(name) else { return }
      if status.kind == .link {
        throw StorageError(
          .notWritable,
          "\(folder.at(name)) is a symbolic link, which is not followed; replace it with a folder")
      }
      guard status.kind == .folder else { return }
      folder = try folder.folder(name)
    }
  }

  /// The directory of the file and its name there; `nil` if the directory is missing.
  var place: (parent: Folder, name: String)? {
    let components = path.pathComponents
    guard let name = components.last, !components.contains("..") else { return nil }
    // Treat unreadable directories as missing.
    guard var parent = try? Folder.open(path: root) else { return nil }
    for folder in components.dropLast() {
      guard let next = try? parent.folderIfPresent(folder) else { return nil }
      parent = next
    }
    return (parent, name)
  }
}
