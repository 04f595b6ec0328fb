import ArchiverCore
import ArchiverStorage
import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The files of the library while it is brought up to date.
///
/// Files are first staged; once they are durable, they are renamed into place, so that each is
/// always either the old one or the new one. Unchanged files are not touched. Files that neither
/// `put` nor `keep` named are removed at the end.
final class SiteFiles {
  /// The folder of the archive.
  let root: String
  private let staging: String
  private var staged: StagedFiles
  /// Items' texts that take the place of others, once they are many.
  private var texts: StagedFiles
  /// Those of which there was none, in place but perhaps not on disk.
  private var firstTexts = PathList()
  private let textLimit: Int
  /// Texts that are in place and on disk.
  private var textCount = 0
  private var waitingTexts: Int { texts.paths.count + firstTexts.count }
  /// Whether a text differs from the one that the last update recorded.
  private var hasNewTexts: Bool { textCount + waitingTexts > 0 }
  /// Whether texts are missing that the last update recorded.
  private var hasLostTexts = false
  /// Files that were begun, finished or not.
  private var begun = 0
  /// Made when the first page is looked at, which a run without news does not.
  private lazy var present: FileListing = {
    let listing = FileListing("library", in: root)
    for hash in early { listing.keep(hash) }
    hasListed = true
    return listing
  }()
  private var hasListed = false
  /// Hashes of what was kept before that.
  private var early: [UInt64] = []
  private let keys: PageKeys
  /// What pages are made of now; begun with the first.
  private var newKeys: SiteOutput?
  private var byteCount = 0
  /// Folders that are known to be there and no links.
  private var folders: Set<String> = []
  /// Room for `keepAll`.
  private var places: [Int] = []

  /// No more than `textLimit` texts wait for the others.
  init(root: String, textLimit: Int = 4_096) throws(StorageError) {
    self.root = root
    self.textLimit = textLimit
    for folder in ["library", ".archiver/library", ".archiver/staging"] {
      try ArchiveFile(folder, in: root).requireNoLink()
    }
    keys = PageKeys(root: root)
    staging = root + "/.archiver/staging/library"
    staged = StagedFiles(prefix: "\(staging)/")
    texts = StagedFiles(prefix: "\(staging)/text")
    // What an interrupted update left there is worthless; that there may be nothing is fine.
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

  /// Sets the bytes of items' texts, which nothing leads to before the search index does.
  ///
  /// The first of its path is installed at once: if the update is interrupted, the next one has no
  /// record of it and reads the text again. For a missing one there may be a record.
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
      // A first run has as many as items; only so many are remembered.
      if waitingTexts == textLimit {
        flush()
        try installTexts()
      }
    }
  }

  private enum TextPlace {
    case isThere
    /// It was made where there was nothing.
    case first
    case aside
  }

  /// Finds out where a text goes, and makes its file if it is the first there.
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

  /// Records that a text is missing that the last update recorded.
  func loseText() { hasLostTexts = true }

  /// Begins a file that is put in pieces, as all of it should not be in memory.
  func begin(_ path: String) throws(StorageError) -> SiteOutput {
    begun += 1
    return try SiteOutput(path, at: "\(staging)/part\(begun)", root: root)
  }

  /// Puts a file that was begun, now that it is whole.
  ///
  /// With `evenIfSame` the one that is there will have left, and has to come back.
  func finish(_ output: SiteOutput, evenIfSame: Bool = false) throws(StorageError) {
    keep(output.path)
    let isAsBefore = try output.isAsBefore()
    // What is known of texts leaves before the first of them.
    let hasLeft = output.path == SearchIndex.statePath && hasNewTexts
    guard !isAsBefore || evenIfSame || hasLeft else { return }
    try staged.take(output.temporary, output.path)
    byteCount += output.byteCount
  }

  /// Finds out what is there, which is done when it is needed otherwise.
  func list() { _ = present }

  /// A folder for files that no library needs once it is made.
  var spare: String { staging }

  /// A file that is made only when what it shows has changed.
  struct Page: Sendable {
    let path: String
    /// A hash of all that it shows.
    let key: UInt64
    let make: @Sendable () throws -> [UInt8]
  }

  /// Pages in memory at once: one for each processor, as the longest take half a megabyte each.
  private static let batch = Concurrent.width

  /// Puts pages, those that were made of the same before excepted; makes several at once.
  func put(_ pages: some Sequence<Page>) throws {
    var changed: [Page] = []
    for page in pages {
      if isCurrent(page.path, page.key) { keep(page.path) } else { changed.append(page) }
      try note(page.path, page.key)
      if changed.count == SiteFiles.batch { try make(&changed) }
    }
    try make(&changed)
  }

  /// Takes down what a page shows, not in memory, as pages may be many.
  private func note(_ path: String, _ key: UInt64) throws(StorageError) {
    guard let header = keys.header else { return }
    if newKeys == nil {
      newKeys = try begin(PageKeys.path)
      try newKeys?.write(header)
    }
    try newKeys?.write(PageKeys.line(path, key))
  }

  private func make(_ pages: inout [Page]) throws {
    let made = try Concurrent.map(pages) { try $0.make() }
    for (page, bytes) in zip(pages, made) { try put(page.path, bytes) }
    pages = []
  }

  /// Whether a file exists and was made from the content with this hash.
  func isCurrent(_ path: String, _ key: UInt64) -> Bool {
    present.contains(FileListing.hash(path)) && keys.isKnown(path, key)
  }

  /// Whether a file was there when the library was listed.
  func isListed(_ path: String) -> Bool { present.contains(FileListing.hash(path)) }

  /// Says that a file is still wanted as it is.
  func keep(_ path: String) { keep(FileListing.hash(path)) }

  func keep(_ hash: UInt64) {
    if hasListed { present.keep(hash) } else { early.append(hash) }
  }

  /// Says that files are still wanted, if all of them were there when the update began; returns
  /// whether they were. `hash` gives the hash of each one's path.
  func keepAll(_ count: Int, _ hash: (Int) -> UInt64) -> Bool {
    places.removeAll(keepingCapacity: true)
    for number in 0..<count {
      guard let place = present.file(hash(number)) else { return false }
      places.append(place)
    }
    for place in places { present.keep(place: place) }
    return true
  }

  /// Whether a file is there now.
  func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat("\(root)/\(path)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Opens a file of the library that is there now; `nil` when there is none.
  func reader(_ path: String) -> PieceFile? { PieceFile("\(root)/\(path)", .read) }

  /// Returns the bytes of a file of the library; `nil` when there is none.
  func bytes(_ path: String) -> [UInt8]? {
    ArchiveFile(path, in: root).bytes
  }

  /// Moves everything into place, `last` after all others, and removes under `library/` what was
  /// not named, unless `removesOthers` is false.
  func commit(last: Set<String> = [], removesOthers: Bool) throws(StorageError) -> LibraryUpdate {
    let last = last.union([PageKeys.path])
    // If any file but `status.js` changed, delete the page keys before renaming: after an
    // interruption, the next update rebuilds every page.
    let forgetsKeys = staged.paths.contains { $0 != StatusData.path }
    if let newKeys { try finish(newKeys, evenIfSame: forgetsKeys) }
    flush()
    if forgetsKeys { unlink("\(root)/\(PageKeys.path)") }
    try installTexts()
    for isLast in [false, true] { try install(staged) { last.contains($0) == isLast } }
    var update = LibraryUpdate(
      written: staged.paths, textCount: textCount, byteCount: byteCount)
    staged.clear()
    if removesOthers { update.removed = present.removeOthers().sorted() }
    // Empty by now; should it remain, the next update clears it.
    try? FileManager.default.removeItem(atPath: staging)
    return update
  }

  /// Puts the texts in place, which are safe on disk.
  ///
  /// The record of all texts is removed first: after an interruption, a text that changes back
  /// would otherwise be taken for the one on disk.
  private func installTexts() throws(StorageError) {
    if !texts.paths.isEmpty { unlink("\(root)/\(SearchIndex.statePath)") }
    try install(texts) { _ in true }
    textCount += waitingTexts
    texts.clear()
    firstTexts = PathList()
  }

  /// Renames files that are safe on disk into place.
  private func install(
    _ files: StagedFiles, _ isWanted: (String) -> Bool
  ) throws(StorageError) {
    for (place, path) in files.paths.enumerated() where isWanted(path) {
      try prepareFolder(of: path)
      guard rename(files.temporary(place), "\(root)/\(path)") == 0 else {
        throw SiteFiles.error("\(root)/\(path)")
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
    // Says what is wrong with it.
    try ArchiveFile(folder, in: root).requireNoLink()
    try SiteFiles.makeFolder(place)
  }

  /// Whether a file is there now with exactly these bytes.
  func holds(_ path: String, _ bytes: [UInt8]) -> Bool {
    SiteFiles.holds("\(root)/\(path)", bytes)
  }

  private static func holds(_ place: String, _ bytes: [UInt8]) -> Bool {
    var status = stat()
    guard lstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      Int(status.st_size) == bytes.count,
      let data = FileManager.default.contents(atPath: place), data.count == bytes.count
    else { return false }
    return data.withUnsafeBytes { old in
      bytes.withUnsafeBytes { new in
        guard let old = old.baseAddress, let start = new.baseAddress else { return true }
        return memcmp(old, start, new.count) == 0
      }
    }
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

  /// Waits until the staged files are on disk. For many, one flush of the file system costs far
  /// less than one for each.
  private func flush() {
    if staged.paths.count + waitingTexts > 64, ArchiveFile.flushFileSystem(of: root) { return }
    let names =
      staged.paths.indices.map(staged.temporary) + texts.paths.indices.map(texts.temporary)
      + firstTexts.map { "\(root)/\($0)" }
    DispatchQueue.concurrentPerform(iterations: names.count) { place in
      let descriptor = open(names[place], O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      fsync(descriptor)
      close(descriptor)
    }
  }

  static func error(
    _ path: String, _ what: String = "written", _ number: Int32 = errno
  ) -> StorageError {
    let reason = String(cString: strerror(number))
    let code: StorageError.Code =
      switch number {
      case ENOSPC, EDQUOT: .full
      case EACCES, EPERM, EROFS: .notWritable
      default: .io
      }
    return StorageError(code, "the library's file \(path) cannot be \(what): \(reason)")
  }
}
