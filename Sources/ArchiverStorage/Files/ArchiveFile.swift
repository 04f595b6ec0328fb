/// Reads the files of an archive by their paths inside it.
///
/// No symbolic link inside the archive is followed, neither in place of the file nor of a folder on
/// the way; what one stands for counts as missing. The archive's own folder may be behind a link.
package struct ArchiveFile {
  private let root: String
  private let path: String

  /// Names the file at `path`, relative to the archive at `root`.
  package init(_ path: String, in root: String) {
    self.root = root
    self.path = path
  }

  /// The bytes; `nil` when there is no such file or it cannot be read.
  package var bytes: [UInt8]? {
    // What cannot be read is missing to all who read pages.
    guard let (parent, name) = place, let file = try? OpenFile.reading(name, in: parent) else {
      return nil
    }
    return try? file.readAll()
  }

  /// Bytes of a plain file; `nil` for what is none.
  package var byteCount: Int? {
    // As above.
    guard let (parent, name) = place, let status = try? parent.status(name), status.kind == .file
    else { return nil }
    return status.byteCount
  }

  /// The names in a directory, sorted by their bytes; empty if the path does not name a directory.
  package var names: [String] {
    // As above.
    guard let (parent, name) = place, let folder = try? parent.folder(name) else { return [] }
    return ((try? folder.entries()) ?? []).map(\.name)
  }

  /// Throws when the path, or a part of it, is a symbolic link: what is written there would be
  /// written elsewhere.
  package func requireNoLink() throws(StorageError) {
    var folder = try Folder.open(path: root)
    for name in path.pathComponents {
      guard let status = try folder.status(name) else { return }
      if status.kind == .link {
        throw StorageError(
          .notWritable,
          "\(folder.at(name)) is a symbolic link, which is not followed; put a folder in its place")
      }
      guard status.kind == .folder else { return }
      folder = try folder.folder(name)
    }
  }

  /// The folder that the file is in, and its name there; `nil` when there is no such folder.
  var place: (parent: Folder, name: String)? {
    let components = path.pathComponents
    guard let name = components.last, !components.contains("..") else { return nil }
    // As above.
    guard let root = try? Folder.open(path: root),
      let parent = try? root.descend(components.dropLast().joined(separator: "/"))
    else { return nil }
    return (parent, name)
  }
}
