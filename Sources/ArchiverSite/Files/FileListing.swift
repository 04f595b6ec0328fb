import ArchiverCore
import ArchiverStorage

/// The contents of a directory of the archive, recursively, read once: a system call per file would
/// take as long as the rest of an update.
///
/// Files are identified by a hash of their path, which is smaller and faster than the path. If two
/// paths have the same hash, which is unlikely, a missing file may not be rebuilt; a wanted file is
/// never removed.
final class FileListing {
  private struct Entry {
    let hash: UInt64
    /// The index of the entry's directory.
    let folder: Int32
    let isFile: Bool
    var isWanted = false
  }

  private struct Folder {
    let path: String
    /// The index of the parent directory.
    let parent: Int
    var isEmpty = true
  }

  private let root: String
  /// The entries, sorted by hash.
  private var entries: [Entry]
  /// The directories, each after its parent.
  private let folders: [Folder]

  /// Lists a folder of the archive at `root`. Does not follow symbolic links. Unreadable folders
  /// and files count as missing.
  init(_ folder: String, in root: String) {
    self.root = root
    var entries: [Entry] = []
    var folders = [Folder(path: folder, parent: -1)]
    var next = 0
    while next < folders.count {
      FileListing.forEach(in: folders[next].path, of: root) { path, type in
        folders[next].isEmpty = false
        if type == Int(DT_DIR) {
          folders.append(Folder(path: String(decoding: path, as: UTF8.self), parent: next))
        } else {
          entries.append(
            Entry(
              hash: FileListing.hash(path), folder: Int32(next), isFile: type == Int(DT_REG)))
        }
      }
      next += 1
    }
    entries.sort { $0.hash < $1.hash }
    (self.entries, self.folders) = (entries, folders)
  }

  static func hash(_ path: String) -> UInt64 { WordHash.of(path) }

  private static func hash(_ path: [UInt8]) -> UInt64 {
    path.withUnsafeBytes { WordHash.of($0) }
  }

  /// Whether a regular file with this hash of its path was listed.
  func contains(_ hash: UInt64) -> Bool { file(hash) != nil }

  /// Returns the index of a listed regular file, for `keep(place:)`; `nil` if it was not listed.
  func file(_ hash: UInt64) -> Int? {
    guard let place = place(hash), entries[place].isFile else { return nil }
    return place
  }

  /// Marks the entry at an index that `file` returned as wanted.
  func keep(place: Int) { entries[place].isWanted = true }

  /// Marks the entry with this hash as wanted.
  func keep(_ hash: UInt64) {
    if let place = place(hash) { entries[place].isWanted = true }
  }

  private func place(_ hash: UInt64) -> Int? {
    let place = entries.partitionPoint { $0.hash < hash }
    return place < entries.count && entries[place].hash == hash ? place : nil
  }

  /// Removes listed files, links and the like that are not wanted, and folders that become empty.
  /// Returns their paths.
  func removeOthers() -> [String] {
    // Reread only these directories, each after its subdirectories.
    var isConcerned = folders.map(\.isEmpty)
    for entry in entries where !entry.isWanted { isConcerned[Int(entry.folder)] = true }
    var removed: [String] = []
    for (number, folder) in folders.enumerated().reversed() where isConcerned[number] {
      var isEmpty = true
      FileListing.forEach(in: folder.path, of: root) { path, type in
        let name = String(decoding: path, as: UTF8.self)
        if type != Int(DT_DIR), let place = place(FileListing.hash(path)),
          !entries[place].isWanted, unlink("\(root)/\(name)") == 0
        {
          removed.append(name)
        } else {
          isEmpty = false
        }
      }
      if isEmpty, number > 0, rmdir("\(root)/\(folder.path)") == 0 {
        isConcerned[folder.parent] = true
      }
    }
    return removed
  }

  /// Calls `body` with the path and type of each entry of a folder.
  private static func forEach(
    in folder: String, of root: String, _ body: ([UInt8], Int) -> Void
  ) {
    let descriptor = open("\(root)/\(folder)", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      return
    }
    defer { closedir(stream) }
    var path = Array("\(folder)/".utf8)
    let start = path.count
    while let entry = readdir(stream) {
      let type = Int(entry.pointee.d_type)
      let isTaken = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
        guard let first = buffer.baseAddress else { return false }
        let length = strlen(first.assumingMemoryBound(to: CChar.self))
        // Skip `.` and `..`.
        if buffer[0] == UInt8(ascii: "."), length < 3, buffer[length - 1] == UInt8(ascii: ".") {
          return false
        }
        path.replaceSubrange(start..., with: UnsafeRawBufferPointer(rebasing: buffer[..<length]))
        return true
      }
      if isTaken { body(path, type == Int(DT_UNKNOWN) ? self.type(path, in: root) : type) }
    }
  }

  /// Returns the type of an entry by lstat(2): some file systems do not report it in a listing.
  private static func type(_ path: [UInt8], in root: String) -> Int {
    var status = stat()
    guard lstat("\(root)/\(String(decoding: path, as: UTF8.self))", &status) == 0 else {
      return Int(DT_UNKNOWN)
    }
    let mode = status.st_mode & S_IFMT
    return mode == S_IFDIR ? Int(DT_DIR) : mode == S_IFREG ? Int(DT_REG) : Int(DT_UNKNOWN)
  }
}
