import ArchiverCore
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The contents of a folder of the archive, recursively, read once: a system call per file would
/// take as long as the rest of an update.
///
/// Files are identified by a truncated hash of their path, which is smaller and faster than the
/// path. With 100,000 files, one in 300 million lookups of a missing file finds another file
/// instead, and keeps doing so until a file is added or removed. The consequence is that a lost
/// page or text is not rebuilt; a wanted file is never removed.
final class FileListing {
  /// An entry before sorting.
  private struct Found {
    let hash: UInt64
    let mark: Mark
  }

  /// The index of a folder in the lower bits, and two flags in the upper bits.
  struct Mark {
    private var packed: UInt16

    private static let file: UInt16 = 1 << 14
    private static let wanted: UInt16 = 1 << 15
    /// The maximum number of folders with an index.
    static let places = Int(file)

    /// Creates a mark. `place` must be below `places`.
    init(place: Int, isFile: Bool) {
      packed = UInt16(place) | (isFile ? Mark.file : 0)
    }

    var place: Int { Int(packed & (Mark.file - 1)) }

    var isFile: Bool { packed & Mark.file != 0 }
    var isWanted: Bool { packed & Mark.wanted != 0 }

    mutating func want() { packed |= Mark.wanted }
  }

  private let root: String
  /// For each entry, sorted by hash, the bits of its hash that follow those of its bucket.
  private let hashes: [UInt32]
  private var marks: [Mark]
  /// The start of each bucket (the entries whose hashes begin with the same `bucketBits`), then the
  /// end of the last.
  private let buckets: [Int32]
  private let bucketBits: Int
  /// The index that all folders beyond the maximum share.
  private let lastPlace: Int
  /// Folders, each after its parent.
  private let folders: [String]
  /// For each folder, the index of its parent.
  private let parents: [Int32]
  private let emptyFolders: [Int32]

  /// Lists a folder of the archive at `root`. Does not follow symbolic links. Unreadable folders
  /// and files count as missing.
  ///
  /// At most `places` folders, and at most `Mark.places`, have an index of their own; the rest
  /// share the last index.
  init(_ folder: String, in root: String, places: Int = Mark.places) {
    self.root = root
    lastPlace = min(places, Mark.places) - 1
    var found: [Found] = []
    var folders = [folder]
    var parents: [Int32] = [-1]
    var emptyFolders: [Int32] = []
    var next = 0
    while next < folders.count {
      var isEmpty = true
      let place = min(next, lastPlace)
      FileListing.forEach(in: folders[next], of: root) { path, type in
        isEmpty = false
        if type == Int(DT_DIR) {
          folders.append(String(decoding: path, as: UTF8.self))
          parents.append(Int32(next))
        } else {
          found.append(
            Found(
              hash: FileListing.hash(path), mark: Mark(place: place, isFile: type == Int(DT_REG))))
        }
      }
      if isEmpty { emptyFolders.append(Int32(next)) }
      next += 1
    }
    self.folders = folders
    self.parents = parents
    self.emptyFolders = emptyFolders
    found.sort { $0.hash < $1.hash }
    let bits = FileListing.bucketBits(found.count)
    bucketBits = bits
    hashes = found.map { FileListing.inBucket($0.hash, bits) }
    marks = found.map(\.mark)
    var buckets: [Int32] = []
    buckets.reserveCapacity(1 << bits + 1)
    for (place, one) in found.enumerated() {
      while buckets.count <= FileListing.bucket(one.hash, bits) { buckets.append(Int32(place)) }
    }
    while buckets.count <= 1 << bits { buckets.append(Int32(found.count)) }
    self.buckets = buckets
  }

  /// Returns the number of bits for about sixteen files per bucket: a quarter of a byte of index
  /// per file.
  private static func bucketBits(_ count: Int) -> Int {
    max(0, Int.bitWidth - (count >> 4).leadingZeroBitCount)
  }

  private static func bucket(_ hash: UInt64, _ bits: Int) -> Int {
    bits == 0 ? 0 : Int(hash >> UInt64(64 - bits))
  }

  private static func inBucket(_ hash: UInt64, _ bits: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: (hash << UInt64(bits)) >> 32)
  }

  static func hash(_ path: String) -> UInt64 { WordHash.of(path) }

  private static func hash(_ path: [UInt8]) -> UInt64 {
    path.withUnsafeBytes { WordHash.of($0) }
  }

  /// Whether a regular file with this hash of its path was listed.
  func contains(_ hash: UInt64) -> Bool { file(hash) != nil }

  /// Returns the index of a listed regular file, for `keep(place:)`; `nil` if it was not listed.
  func file(_ hash: UInt64) -> Int? {
    guard let place = place(hash), marks[place].isFile else { return nil }
    return place
  }

  /// Marks the entry at an index that `file` returned as wanted.
  func keep(place: Int) { marks[place].want() }

  /// Marks the entry with this hash as wanted.
  func keep(_ hash: UInt64) {
    if let place = place(hash) { marks[place].want() }
  }

  private func place(_ hash: UInt64) -> Int? {
    let bucket = FileListing.bucket(hash, bucketBits)
    let wanted = FileListing.inBucket(hash, bucketBits)
    var (low, high) = (Int(buckets[bucket]), Int(buckets[bucket + 1]))
    let end = high
    while low < high {
      let middle = (low + high) / 2
      if hashes[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low < end && hashes[low] == wanted ? low : nil
  }

  /// Removes listed files, links and the like that are not wanted, and folders that become empty.
  /// Returns their paths.
  func removeOthers() -> [String] {
    // Only these folders are read again, each after its subfolders.
    var isConcerned = Array(repeating: false, count: folders.count)
    for folder in emptyFolders { isConcerned[Int(folder)] = true }
    for mark in marks where !mark.isWanted {
      isConcerned[mark.place] = true
    }
    if folders.count > lastPlace, isConcerned[lastPlace] {
      for number in lastPlace..<folders.count { isConcerned[number] = true }
    }
    var removed: [String] = []
    for (number, folder) in folders.enumerated().reversed() where isConcerned[number] {
      var isEmpty = true
      FileListing.forEach(in: folder, of: root) { path, type in
        let name = String(decoding: path, as: UTF8.self)
        if type != Int(DT_DIR), let place = place(FileListing.hash(path)),
          !marks[place].isWanted, unlink("\(root)/\(name)") == 0
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
        // `.` and `..`.
        if buffer[0] == UInt8(ascii: "."), length < 3, buffer[length - 1] == UInt8(ascii: ".") {
          return false
        }
        path.replaceSubrange(start..., with: UnsafeRawBufferPointer(rebasing: buffer[..<length]))
        return true
      }
      if isTaken { body(path, type == Int(DT_UNKNOWN) ? self.type(path, in: root) : type) }
    }
  }

  /// Reads the type of an entry: some file systems do not report it in a listing.
  private static func type(_ path: [UInt8], in root: String) -> Int {
    var status = stat()
    guard lstat("\(root)/\(String(decoding: path, as: UTF8.self))", &status) == 0 else {
      return Int(DT_UNKNOWN)
    }
    let mode = status.st_mode & S_IFMT
    return mode == S_IFDIR ? Int(DT_DIR) : mode == S_IFREG ? Int(DT_REG) : Int(DT_UNKNOWN)
  }
}
