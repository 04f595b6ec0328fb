import ArchiverCore
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is in a folder of the archive and below, read once: asking for each file would take as long
/// as all the rest of an update.
///
/// Files are known by a hash of their path, which costs less to make and to look up than the path.
struct FileListing {
  private struct Entry {
    let hash: UInt64
    let folder: Int
    let name: Range<Int>
  }

  private let root: String
  private var entries: [Entry] = []
  /// Names of entries, one after the other.
  private var names: [UInt8] = []
  /// Each after the one it is in.
  private var folders: [String]
  private var files: Set<UInt64> = []

  /// Lists a folder of the archive at `root`; no link is followed. What cannot be read counts as
  /// not there.
  init(_ folder: String, in root: String) {
    self.root = root
    folders = [folder]
    var next = 0
    while next < folders.count {
      list(next)
      next += 1
    }
    files.reserveCapacity(entries.count)
  }

  static func hash(_ path: String) -> UInt64 { WordHash.of(path) }

  /// Whether a plain file was there.
  func contains(_ hash: UInt64) -> Bool { files.contains(hash) }

  /// Removes files, links and the like whose hash is not among `wanted`, and folders that are empty
  /// then. Returns their paths.
  func removeAll(but wanted: Set<UInt64>) -> [String] {
    var removed: [String] = []
    var filled: [Bool] = Array(repeating: false, count: folders.count)
    for entry in entries {
      if wanted.contains(entry.hash) {
        filled[entry.folder] = true
        continue
      }
      let name = String(decoding: names[entry.name], as: UTF8.self)
      let path = "\(folders[entry.folder])/\(name)"
      if unlink("\(root)/\(path)") == 0 { removed.append(path) }
    }
    for (folder, isFilled) in zip(folders, filled).dropFirst().reversed() where !isFilled {
      rmdir("\(root)/\(folder)")  // Leaves a folder that still holds something.
    }
    return removed
  }

  private mutating func list(_ number: Int) {
    let descriptor = open(
      "\(root)/\(folders[number])", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      return
    }
    defer { closedir(stream) }
    var path = Array("\(folders[number])/".utf8)
    let start = path.count
    while let entry = readdir(stream) {
      withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
        guard let first = buffer.baseAddress else { return }
        let length = strlen(first.assumingMemoryBound(to: CChar.self))
        let name = UnsafeRawBufferPointer(rebasing: buffer[..<length])
        // `.`, `..` and nothing.
        if name.allSatisfy({ $0 == UInt8(ascii: ".") }) && length <= 2 { return }
        path.removeSubrange(start...)
        path += name
        take(path, from: start, in: number, type: Int(entry.pointee.d_type))
      }
    }
  }

  private mutating func take(_ path: [UInt8], from start: Int, in folder: Int, type: Int) {
    var type = type
    if type == Int(DT_UNKNOWN) {
      // Some file systems do not tell the type in a listing.
      var status = stat()
      guard lstat("\(root)/\(String(decoding: path, as: UTF8.self))", &status) == 0 else { return }
      let mode = status.st_mode & S_IFMT
      type = mode == S_IFDIR ? Int(DT_DIR) : mode == S_IFREG ? Int(DT_REG) : type
    }
    if type == Int(DT_DIR) {
      folders.append(String(decoding: path, as: UTF8.self))
      return
    }
    let hash = path.withUnsafeBytes { WordHash.of($0) }
    if type == Int(DT_REG) { files.insert(hash) }
    entries.append(
      Entry(hash: hash, folder: folder, name: names.count..<names.count + path.count - start))
    names += path[start...]
  }
}
