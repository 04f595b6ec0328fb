import ArchiverCore
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files of the library while it is brought up to date.
///
/// Files are first written aside, then, once they are safe on disk, renamed into place one after
/// the other, so that each is at any time either the old one or the new one. A file that would
/// not change is not touched. What `put` and `keep` did not name is removed at the end.
final class SiteFiles {
  /// The folder of the archive.
  let root: String
  private let staging: String
  private var staged: [(path: String, temporary: String)] = []
  /// Hashes of paths.
  private var named: [UInt64] = []
  private lazy var present = FileListing("library", in: root)
  private var keys: PageKeys
  private(set) var update = LibraryUpdate()

  init(root: String) throws(StorageError) {
    self.root = root
    for folder in ["library", ".archiver/library", ".archiver/staging"] {
      try ArchiveFile(folder, in: root).requireNoLink()
    }
    keys = PageKeys(root: root)
    staging = root + "/.archiver/staging/library"
    // What an interrupted update left there is worthless; that there may be nothing is fine.
    try? FileManager.default.removeItem(atPath: staging)
    try SiteFiles.makeFolder(staging)
  }

  /// Sets the bytes of a file, given by its path relative to the archive.
  func put(_ path: String, _ bytes: [UInt8]) throws(StorageError) {
    keep(path)
    guard !holds(path, bytes) else { return }
    let temporary = "\(staging)/\(staged.count)"
    try save(bytes, to: temporary)
    staged.append((path, temporary))
    update.written.append(path)
    update.byteCount += bytes.count
  }

  /// A file that is made only when what it shows has changed.
  struct Page: Sendable {
    let path: String
    /// Stands for all that it shows.
    let key: UInt64
    let make: @Sendable () -> [UInt8]
  }

  /// Pages in memory at once.
  private static let batch = 16

  /// Puts pages, those that were made of the same before excepted; makes several at once.
  func put(_ pages: [Page]) throws {
    var changed: [Page] = []
    for page in pages {
      if isCurrent(page.path, page.key) { keep(page.path) } else { changed.append(page) }
      keys.note(page.path, page.key)
    }
    for start in stride(from: 0, to: changed.count, by: SiteFiles.batch) {
      let members = Array(changed[start..<min(start + SiteFiles.batch, changed.count)])
      let made = try Concurrent.map(members) { $0.make() }
      for (page, bytes) in zip(members, made) { try put(page.path, bytes) }
    }
  }

  /// Whether a file is there and was made of what `key` stands for.
  func isCurrent(_ path: String, _ key: UInt64) -> Bool {
    keys.isKnown(path, key) && present.contains(FileListing.hash(path))
  }

  /// Says that a file is still wanted as it is.
  func keep(_ path: String) { keep(FileListing.hash(path)) }

  func keep(_ hash: UInt64) { named.append(hash) }

  /// Whether a file was under `library/` when the update began, by the hash of its path.
  func wasThere(_ hash: UInt64) -> Bool { present.contains(hash) }

  /// Whether a file is there now.
  func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat("\(root)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the bytes of a file of the library; `nil` when there is none.
  func bytes(_ path: String) -> [UInt8]? {
    ArchiveFile(path, in: root).bytes
  }

  /// Moves everything into place, `last` after all others, and removes under `library/` what was
  /// not named, unless `removesOthers` is false.
  func commit(last: Set<String> = [], removesOthers: Bool) throws(StorageError) -> LibraryUpdate {
    let last = last.union([PageKeys.path])
    if let bytes = keys.changedBytes() { try put(PageKeys.path, bytes) }
    flush()
    let order = staged.filter { !last.contains($0.path) } + staged.filter { last.contains($0.path) }
    // Should this be cut short, nothing is known of what pages were made of, and all are made anew.
    if staged.contains(where: { $0.path != StatusData.path }) { unlink("\(root)/\(PageKeys.path)") }
    var folders: Set<Substring> = []
    for file in order {
      let folder = file.path.prefix(upTo: file.path.lastIndex(of: "/") ?? file.path.startIndex)
      if folders.insert(folder).inserted {
        try ArchiveFile(String(folder), in: root).requireNoLink()
        try SiteFiles.makeFolder("\(root)/\(folder)")
      }
      guard rename(file.temporary, "\(root)/\(file.path)") == 0 else {
        throw SiteFiles.error("\(root)/\(file.path)")
      }
    }
    staged = []
    if removesOthers { update.removed += present.removeAll(but: named) }
    // Empty by now; should it remain, the next update clears it.
    try? FileManager.default.removeItem(atPath: staging)
    update.written.sort()
    update.removed.sort()
    return update
  }

  /// Whether a file is there now with exactly these bytes.
  func holds(_ path: String, _ bytes: [UInt8]) -> Bool {
    var status = stat()
    guard lstat("\(root)/\(path)", &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      Int(status.st_size) == bytes.count,
      let data = FileManager.default.contents(atPath: "\(root)/\(path)"),
      data.count == bytes.count
    else { return false }
    return data.withUnsafeBytes { old in
      bytes.withUnsafeBytes { new in
        guard let old = old.baseAddress, let start = new.baseAddress else { return true }
        return memcmp(old, start, new.count) == 0
      }
    }
  }

  private func save(_ bytes: [UInt8], to path: String) throws(StorageError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw SiteFiles.error(path) }
    defer { close(descriptor) }
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        write(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw SiteFiles.error(path) }
      offset += count
    }
  }

  private static func makeFolder(_ path: String) throws(StorageError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw StorageError(
        .notWritable, "The folder \(path) cannot be made; check that the archive can be written.",
        underlying: error)
    }
  }

  /// Waits until the staged files are on disk. For many, one flush of the file system costs far
  /// less than one for each.
  private func flush() {
    if staged.count > 64, ArchiveFile.flushFileSystem(of: root) { return }
    for file in staged {
      let descriptor = open(file.temporary, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      fsync(descriptor)
      close(descriptor)
    }
  }

  private static func error(_ path: String) -> StorageError {
    let number = errno
    let reason = String(cString: strerror(number))
    let code: StorageError.Code =
      switch number {
      case ENOSPC, EDQUOT: .full
      case EACCES, EPERM, EROFS: .notWritable
      default: .io
      }
    return StorageError(code, "The library's file \(path) cannot be written: \(reason).")
  }
}
