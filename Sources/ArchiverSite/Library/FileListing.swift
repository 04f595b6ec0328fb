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
  /// Twelve bytes, as the halves of the hash need no place that is a multiple of eight.
  private struct Entry {
    private let high: UInt32
    private let low: UInt32
    /// The folder's place, and above it two that say yes or no.
    private var packed: UInt32

    private static let file: UInt32 = 1 << 30
    private static let wanted: UInt32 = 1 << 31

    /// `folder` is below 2^30.
    init(hash: UInt64, folder: Int, isFile: Bool) {
      high = UInt32(truncatingIfNeeded: hash >> 32)
      low = UInt32(truncatingIfNeeded: hash)
      packed = UInt32(folder) | (isFile ? Entry.file : 0)
    }

    var hash: UInt64 { UInt64(high) << 32 | UInt64(low) }
    /// Where in `folders` it is.
    var folder: Int { Int(packed & (Entry.file - 1)) }
    var isFile: Bool { packed & Entry.file != 0 }
    var isWanted: Bool { packed & Entry.wanted != 0 }

    mutating func want() { packed |= Entry.wanted }
  }

  private let root: String
  /// In the order of their hashes.
  private var entries: [Entry] = []
  /// Each after the one it is in.
  private var folders: [String]
  /// Of each folder the one it is in.
  private var parents: [Int32] = [-1]
  private var emptyFolders: [Int32] = []

  /// Lists a folder of the archive at `root`; no link is followed. What cannot be read counts as
  /// not there.
  init(_ folder: String, in root: String) {
    self.root = root
    folders = [folder]
    var next = 0
    while next < folders.count {
      var isEmpty = true
      forEach(in: folders[next]) { path, type in
        isEmpty = false
        if type == Int(DT_DIR) {
          folders.append(String(decoding: path, as: UTF8.self))
          parents.append(Int32(next))
        } else {
          entries.append(
            Entry(
              hash: FileListing.hash(path), folder: next, isFile: type == Int(DT_REG)))
        }
      }
      if isEmpty { emptyFolders.append(Int32(next)) }
      next += 1
    }
    entries.sort { $0.hash < $1.hash }
  }

  static func hash(_ path: String) -> UInt64 { WordHash.of(path) }

  private static func hash(_ path: [UInt8]) -> UInt64 {
    path.withUnsafeBytes { WordHash.of($0) }
  }

  /// Whether a plain file was there.
  func contains(_ hash: UInt64) -> Bool { file(hash) != nil }

  /// Returns the place of a plain file that was there, by which it can be kept.
  func file(_ hash: UInt64) -> Int? {
    guard let place = place(hash), entries[place].isFile else { return nil }
    return place
  }

  /// Says that what is at a place that `file` gave is wanted.
  func keep(place: Int) { entries[place].want() }

  /// Says that what has this hash is wanted.
  func keep(_ hash: UInt64) {
    if let place = place(hash) { entries[place].want() }
  }

  private func place(_ hash: UInt64) -> Int? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].hash < hash { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].hash == hash ? low : nil
  }

  /// Removes files, links and the like that were there and are not wanted, and folders that are
  /// empty then. Returns their paths.
  func removeOthers() -> [String] {
    // Only these are looked at again, each after those in it.
    var isConcerned = Array(repeating: false, count: folders.count)
    for folder in emptyFolders { isConcerned[Int(folder)] = true }
    for entry in entries where !entry.isWanted { isConcerned[entry.folder] = true }
    var removed: [String] = []
    for (number, folder) in folders.enumerated().reversed() where isConcerned[number] {
      var isEmpty = true
      forEach(in: folder) { path, type in
        let name = String(decoding: path, as: UTF8.self)
        if type != Int(DT_DIR), let place = place(FileListing.hash(path)),
          !entries[place].isWanted, unlink("\(root)/\(name)") == 0
        {
          removed.append(name)
        } else {
          isEmpty = false
        }
      }
      if isEmpty, number > 0, rmdir("\(root)/\(folder)") == 0 {
        isConcerned[Int(parents[number])] = true
      }
    }
    return removed
  }

  /// Calls `body` with the path and the type of each that is in a folder.
  private func forEach(in folder: String, _ body: ([UInt8], Int) -> Void) {
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
        // `.` and `..`.
        if buffer[0] == UInt8(ascii: "."), length < 3, buffer[length - 1] == UInt8(ascii: ".") {
          return false
        }
        path.replaceSubrange(start..., with: UnsafeRawBufferPointer(rebasing: buffer[..<length]))
        return true
      }
      if isTaken { body(path, type == Int(DT_UNKNOWN) ? self.type(path) : type) }
    }
  }

  /// Some file systems do not tell the type in a listing.
  private func type(_ path: [UInt8]) -> Int {
    var status = stat()
    guard lstat("\(root)/\(String(decoding: path, as: UTF8.self))", &status) == 0 else {
      return Int(DT_UNKNOWN)
    }
    let mode = status.st_mode & S_IFMT
    return mode == S_IFDIR ? Int(DT_DIR) : mode == S_IFREG ? Int(DT_REG) : Int(DT_UNKNOWN)
  }
}
