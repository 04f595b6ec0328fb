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
final class FileListing {
  private struct Entry {
    let folder: Int32
    let isFile: Bool
    let name: Range<Int32>
  }

  private let root: String
  private var entries: [Entry] = []
  /// Names of entries, one after the other.
  private var names: [UInt8] = []
  /// Each after the one it is in.
  private var folders: [String]
  /// Places of entries.
  private var places: [UInt64: Int] = [:]

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
  }

  static func hash(_ path: String) -> UInt64 { WordHash.of(path) }

  /// Whether a plain file was there.
  func contains(_ hash: UInt64) -> Bool {
    places[hash].map { entries[$0].isFile } ?? false
  }

  /// Removes files, links and the like whose hash is not among `wanted`, and folders that are empty
  /// then. Returns their paths.
  func removeAll(but wanted: [UInt64]) -> [String] {
    var isWanted = Array(repeating: false, count: entries.count)
    for hash in wanted {
      if let place = places[hash] { isWanted[place] = true }
    }
    var removed: [String] = []
    var filled = Array(repeating: false, count: folders.count)
    for (place, entry) in entries.enumerated() {
      let folder = Int(entry.folder)
      if isWanted[place] {
        filled[folder] = true
        continue
      }
      let bytes = names[Int(entry.name.lowerBound)..<Int(entry.name.upperBound)]
      let path = "\(folders[folder])/\(String(decoding: bytes, as: UTF8.self))"
      if unlink("\(root)/\(path)") == 0 { removed.append(path) }
    }
    for (folder, isFilled) in zip(folders, filled).dropFirst().reversed() where !isFilled {
      rmdir("\(root)/\(folder)")  // Leaves a folder that still holds something.
    }
    return removed
  }

  private func list(_ number: Int) {
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
      let type = Int(entry.pointee.d_type)
      let isTaken = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
        guard let first = buffer.baseAddress else { return false }
        let length = strlen(first.assumingMemoryBound(to: CChar.self))
        // `.` and `..`.
        if buffer[0] == UInt8(ascii: "."), length < 3, buffer[length - 1] == UInt8(ascii: ".") {
          return false
        }
        path.replaceSubrange(start..., with: UnsafeRawBufferPointer(rebasing: buffer[..<length]))
        return true
      }
      if isTaken { take(path, from: start, in: number, type: type) }
    }
  }

  private func take(_ path: [UInt8], from start: Int, in folder: Int, type: Int) {
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
    places[hash] = entries.count
    let nameStart = Int32(names.count)
    names += path[start...]
    entries.append(
      Entry(
        folder: Int32(folder), isFile: type == Int(DT_REG),
        name: nameStart..<Int32(names.count)))
  }
}
