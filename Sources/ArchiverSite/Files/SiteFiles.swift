import ArchiverCore
import ArchiverStorage
import Dispatch

/// The files of the library during an update.
///
/// Files are first staged; once they are durable, they are renamed into place, so that each is
/// always either the old or the new version. Unchanged files are not rewritten. Files that neither
/// `put` nor `keep` named are removed at the end.
final class SiteFiles {
  /// The folder of the archive.
  let root: String
  private let staging: String
  private var staged: StagedFiles
  /// Staged texts that replace others; installed once there are `textLimit` of them.
  private var texts: StagedFiles
  /// Texts of items that had none: written in place, possibly not durable yet.
  private var firstTexts: [String] = []
  private let textLimit: Int
  /// The number of texts that are installed and durable.
  private var textCount = 0
  private var waitingTexts: Int { texts.count + firstTexts.count }
  /// Whether texts are missing that the last update recorded.
  private var hasLostTexts = false
  /// The listing of `library/`, made when the first page is checked. A run without changes never makes it.
  private lazy var present = FileListing("library", in: root)
  /// Hashes of the paths of wanted files, except those that `keepAll` marked in the listing.
  private var kept: [UInt64] = []
  /// The hashes of pages; set before the first page is put.
  var keys: PageKeys?
  /// Pages to be rendered.
  private var changed: [Page] = []
  private var byteCount = 0
  /// Directories that are known to exist and not to be symbolic links.
  private var folders: Set<String> = []

  /// Opens the files of the archive at `root`. At most `textLimit` texts are pending at a time.
  init(root: String, textLimit: Int = 4_096) throws(StorageError) {
    self.root = root
    self.textLimit = textLimit
    for folder in ["library", ".archiver/library", ".archiver/staging"] {
      try ArchiveFile(folder, in: root).requireNoLink()
    }
    staging = root + "/.archiver/staging/library"
    staged = StagedFiles(prefix: "\(staging)/")
    texts = StagedFiles(prefix: "\(staging)/text")
    // An interrupted update may have left files there; a missing folder is not an error.
    try? FileManager.default.removeItem(atPath: staging)
    for folder in [staging, root + "/.archiver/library"] { try SiteFiles.makeFolder(folder) }
  }

  /// Sets the bytes of a file, given by its path relative to the archive.
  func put(_ path: String, _ bytes: [UInt8]) throws(StorageError) {
    keep(path)
    guard !holds(path, bytes) else { return }
    try staged.write(bytes, path)
    byteCount += bytes.count
  }

  /// An item's text as a file.
  struct Text: Sendable {
    let path: String
    let bytes: [UInt8]
  }

  /// Writes items' texts, which are not referenced before the search index is.
  ///
  /// The first text at a path is written in place: if the update is interrupted, the next one has
  /// no record of it and reads the text again. A missing text may have a record, so it is staged.
  func putTexts(_ new: [Text]) throws {
    for text in new {
      keep(text.path)
      if !hasLostTexts { try prepareFolder(of: text.path) }
    }
    let (root, mayBeFirst) = (root, !hasLostTexts)
    let places = try Concurrent.map(new) { text in
      try SiteFiles.place(text, root: root, mayBeFirst: mayBeFirst)
    }
    for (text, place) in zip(new, places) where place != .isThere {
      if place == .first {
        firstTexts.append(text.path)
      } else {
        try texts.write(text.bytes, text.path)
      }
      byteCount += text.bytes.count
      // A first run has as many texts as items, so the number of pending texts is limited.
      if waitingTexts == textLimit {
        flush()
        try installTexts()
      }
    }
  }

  private enum TextPlace {
    case isThere
    /// The text was written in place; there was none before.
    case first
    case aside
  }

  /// Determines where to write a text, and writes it in place if it is the first at its path.
  private static func place(
    _ text: Text, root: String, mayBeFirst: Bool
  ) throws(StorageError) -> TextPlace {
    let place = "\(root)/\(text.path)"
    if mayBeFirst, let file = PieceFile(place, .first) {
      try file.write(text.bytes, at: 0)
      return .first
    }
    return holds(place, text.bytes) ? .isThere : .aside
  }

  /// Records that a text of the last update is missing.
  func noteLostText() { hasLostTexts = true }

  /// Lists `library/` now, instead of on first use.
  func list() { _ = present }

  /// A folder for temporary files.
  var spare: String { staging }

  /// A page that is rendered only if its content changed.
  struct Page: Sendable {
    let path: String
    /// A hash of its content.
    let key: UInt64
    let make: @Sendable () throws -> [UInt8]
  }

  /// The number of pages in memory at a time: one per core, as the largest take half a megabyte.
  private static let batch = Concurrent.width

  /// Writes the pages whose content changed, several in parallel. Pending pages are written when
  /// further pages are put or in `commit`.
  func put(_ pages: some Sequence<Page>) throws {
    for page in pages {
      if isCurrent(page.path, page.key) { keep(page.path) } else { changed.append(page) }
      try keys?.note(page.path, page.key)
      if changed.count == SiteFiles.batch { try renderChanged() }
    }
  }

  private func renderChanged() throws {
    let made = try Concurrent.map(changed) { try $0.make() }
    for (page, bytes) in zip(changed, made) { try put(page.path, bytes) }
    changed = []
  }

  /// Whether a file exists and was made from the content with this hash.
  func isCurrent(_ path: String, _ key: UInt64) -> Bool {
    present.contains(FileListing.hash(path)) && keys?.isKnown(path, key) == true
  }

  /// Whether a file existed when the library was listed.
  func isListed(_ path: String) -> Bool { present.contains(FileListing.hash(path)) }

  /// Marks a file as wanted in its current version.
  func keep(_ path: String) { kept.append(FileListing.hash(path)) }

  /// Marks files as wanted, if all of them existed when the update began; returns whether they did.
  /// `hash` returns the hash of each path.
  func keepAll(_ count: Int, _ hash: (Int) -> UInt64) -> Bool {
    var places: [Int] = []
    for number in 0..<count {
      guard let place = present.file(hash(number)) else { return false }
      places.append(place)
    }
    for place in places { present.keep(place: place) }
    return true
  }

  /// Whether a file exists now.
  func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat("\(root)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Returns the bytes of a file of the library; `nil` if there is none.
  func bytes(_ path: String) -> [UInt8]? {
    ArchiveFile(path, in: root).bytes
  }

  /// Renames all staged files into place, `last` after all others, and removes the files under
  /// `library/` that were neither written nor kept, unless `removesOthers` is false.
  func commit(last: Set<String> = [], removesOthers: Bool) throws -> LibraryUpdate {
    try renderChanged()
    try keys?.finish()
    flush()
    // After an interruption, the next update has no record of the files installed now.
    if staged.paths.contains(where: { $0 != StatusData.path }) { LibraryStamp.remove(root: root) }
    try installTexts()
    for isLast in [false, true] { try install(staged) { last.contains($0) == isLast } }
    var update = LibraryUpdate(
      written: staged.paths, textCount: textCount, byteCount: byteCount)
    staged.clear()
    if removesOthers {
      for hash in kept { present.keep(hash) }
      update.removed = present.removeOthers().sorted()
    }
    // The directory is empty now. If removing it fails, the next update clears it.
    try? FileManager.default.removeItem(atPath: staging)
    return update
  }

  /// Installs the staged texts, which must be durable.
  ///
  /// Removes the stamp first: after an interruption, a text that changes back would otherwise be
  /// mistaken for the one on disk.
  private func installTexts() throws(StorageError) {
    if texts.count > 0 { LibraryStamp.remove(root: root) }
    try install(texts) { _ in true }
    textCount += waitingTexts
    texts.clear()
    firstTexts = []
  }

  /// Renames durable files into place.
  private func install(
    _ files: StagedFiles, _ isWanted: (String) -> Bool
  ) throws(StorageError) {
    for (place, path) in files.paths.enumerated() where isWanted(path) {
      try prepareFolder(of: path)
      guard rename(files.temporary(place), "\(root)/\(path)") == 0 else {
        throw PieceFile.error("\(root)/\(path)")
      }
    }
  }

  /// Creates the directory of a file. Fails if it, or a component of its path, is a symbolic link.
  private func prepareFolder(of path: String) throws(StorageError) {
    guard let slash = path.lastIndex(of: "/") else { return }
    let folder = String(path[..<slash])
    guard folders.insert(folder).inserted else { return }
    try prepareFolder(of: folder)
    let place = "\(root)/\(folder)"
    var status = stat()
    let isThere = lstat(place, &status) == 0
    if isThere ? status.st_mode & S_IFMT == S_IFDIR : mkdir(place, 0o755) == 0 { return }
    // Throws the specific error.
    try ArchiveFile(folder, in: root).requireNoLink()
    try SiteFiles.makeFolder(place)
  }

  /// Whether a file with exactly these bytes exists.
  func holds(_ path: String, _ bytes: [UInt8]) -> Bool {
    SiteFiles.holds("\(root)/\(path)", bytes)
  }

  private static func holds(_ place: String, _ bytes: [UInt8]) -> Bool {
    guard let file = PieceFile(place, .read), file.byteCount == bytes.count else { return false }
    // A file that cannot be read is written again.
    return (try? file.read(0..<bytes.count)) == bytes
  }

  private static func makeFolder(_ path: String) throws(StorageError) {
    do {
      try FolderPath.make(path)
    } catch {
      throw StorageError(
        .notWritable, "the folder \(path) cannot be created; check that the archive is writable",
        underlying: error)
    }
  }

  /// The number of files above which one syncfs(2) is faster than one fsync(2) each.
  private static let fsyncLimit = 16

  /// Flushes the staged files.
  private func flush() {
    if staged.count + waitingTexts > SiteFiles.fsyncLimit, ArchiveFile.flushFileSystem(of: root) {
      return
    }
    let names =
      (0..<staged.count).map(staged.temporary) + (0..<texts.count).map(texts.temporary)
      + firstTexts.map { "\(root)/\($0)" }
    DispatchQueue.concurrentPerform(iterations: names.count) { place in
      let descriptor = open(names[place], O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      fsync(descriptor)
      close(descriptor)
    }
  }
}
