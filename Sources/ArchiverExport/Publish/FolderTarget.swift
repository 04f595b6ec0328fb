import ArchiverCore
import Synchronization

/// A directory, such as a web server's or a network share.
///
/// `_archiver` in it has a lock, the manifest (one JSON object per line, sorted) and, while a run is not
/// complete, the journal: the files sent since the manifest was written.
package actor FolderTarget: PublishTarget {
  package nonisolated let name: String
  package nonisolated let width = 1

  private let root: String
  private let target: String
  private var lock: Int32?
  /// The published files, since `begin`.
  private var files: [String: PublishedFile] = [:]
  private var isChanged = false
  /// Files whose content at the target differs from what was sent.
  private var damaged: Set<String> = []
  /// Files whose content is unchanged but whose times differ from those in the manifest.
  private nonisolated let renewed = Mutex<[String: PublishedFile]>([:])

  /// - Parameters:
  ///   - root: The archive's path.
  ///   - target: The destination, which is created if it does not exist.
  package init(root: String, target: String) {
    self.root = root
    self.target = target
    name = target
  }

  deinit {
    if let lock { FolderTarget.unlock(lock) }
  }

  /// Unlocks explicitly: a child process that another thread is spawning shares the descriptor
  /// until exec, so `close` alone could leave the target locked.
  private static func unlock(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static let control = "_archiver"
  private var manifest: String { "\(target)/\(FolderTarget.control)/manifest" }
  private var journal: String { "\(target)/\(FolderTarget.control)/journal" }

  /// Reads the manifest and the journal. Files that are missing or have another size are left out,
  /// so that they are copied again.
  package func known() throws -> [String: PublishedFile] {
    var found: [String: PublishedFile] = [:]
    for path in [manifest, journal] where exists(path) {
      let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      for line in text.split(separator: "\n") {
        // The last line is incomplete if a run was interrupted.
        guard let file = try? JSONDecoder().decode(PublishedFile.self, from: Data(line.utf8)) else {
          continue
        }
        found[file.key] = file
      }
    }
    found = found.filter { key, file in
      var status = stat()
      return lstat("\(target)/\(key)", &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        && Int(status.st_size) == file.byteCount
    }
    found.merge(renewed.withLock { $0 }) { $1 }
    for key in damaged { found[key]?.isStale = true }
    return found
  }

  package nonisolated func isSame(_ file: PublishedFile, as known: PublishedFile) throws -> Bool {
    guard file.byteCount == known.byteCount, !known.isStale else { return false }
    // A record of an earlier version gets the change time without reading the whole archive.
    let isOld = known.changed == nil && file.looksSame(as: known)
    guard try isOld || isEqual(file) else { return false }
    renewed.withLock { $0[file.key] = file }
    return true
  }

  /// Whether an earlier run died before it wrote the manifest, or its times are not those of the files.
  package nonisolated func hasOpenWork(isAsked: Bool) -> Bool {
    isAsked || !FileManager.default.fileExists(atPath: "\(name)/\(FolderTarget.control)/manifest")
      || FileManager.default.fileExists(atPath: "\(name)/\(FolderTarget.control)/journal")
      || renewed.withLock { !$0.isEmpty }
  }

  package func begin(
    _ files: [PublishedFile], isSmall: Bool, audits: Bool
  ) throws -> PublishAudit? {
    try prepare()
    try takeLock()
    self.files = try known()
    isChanged = isChanged || renewed.withLock { !$0.isEmpty }
    guard audits else { return nil }
    var audit = PublishAudit(listed: self.files.count)
    for file in files where self.files[file.key].map({ file.isSame(as: $0) }) == true {
      try Task.checkCancellation()
      audit.read += 1
      guard try !isEqual(file) else { continue }
      audit.changed += 1
      damaged.insert(file.key)
    }
    return audit
  }

  package func announce(_ files: [PublishedFile]) {}

  /// Copies a file and records it in the journal.
  package func put(_ file: PublishedFile) throws {
    isChanged = true
    try makeWay(for: file.key)
    let place = "\(target)/\(file.key)"
    let folder = place.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    try FileManager.default.createDirectory(
      atPath: folder.joined(separator: "/"), withIntermediateDirectories: true)
    let draft = "\(target)/\(FolderTarget.control)/draft"
    try copy(file, to: draft)
    guard rename(draft, place) == 0 else { throw failure(place) }
    try note(file)
    files[file.key] = file
    damaged.remove(file.key)
  }

  package func commit(leaving: [PublishedFile], deleting: [PublishedFile]) {
    isChanged = isChanged || !leaving.isEmpty || !deleting.isEmpty
    for file in leaving { files[file.key]?.isLeaving = true }
  }

  package func remove(_ files: [PublishedFile]) throws {
    for file in files where self.files[file.key] != nil {
      try remove(file.key)
      self.files[file.key] = nil
    }
  }

  /// Removes published files that are in the way of a path: files below it, or a file at the path
  /// of a parent directory. The plan would remove them only one run later.
  private func makeWay(for key: String) throws {
    var obstacles: [String] = []
    var status = stat()
    if lstat("\(target)/\(key)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      obstacles = files.keys.filter { $0.hasPrefix(key + "/") }
    }
    var parts = key.split(separator: "/").dropLast()
    while !parts.isEmpty {
      let folder = parts.joined(separator: "/")
      if files[folder] != nil { obstacles.append(folder) }
      parts = parts.dropLast()
    }
    for obstacle in obstacles {
      try remove(obstacle)
      files[obstacle] = nil
    }
  }

  /// Writes the manifest and unlocks.
  package func finish(isComplete: Bool) throws {
    defer {
      if let lock { FolderTarget.unlock(lock) }
      lock = nil
    }
    guard isComplete, isChanged || !exists(manifest) || exists(journal) else { return }
    var bytes: [UInt8] = []
    for key in files.keys.sorted() { if let file = files[key] { bytes += try line(file) } }
    try Data(bytes).write(to: URL(filePath: manifest), options: .atomic)
    if exists(journal) { try FileManager.default.removeItem(atPath: journal) }
  }

  // MARK: State of the destination

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  private func prepare() throws {
    if exists(target), !exists("\(target)/\(FolderTarget.control)") {
      let names = try FileManager.default.contentsOfDirectory(atPath: target)
      guard names.allSatisfy({ $0 == "lost+found" }) else {
        throw PublishError(
          .foreign,
          "\(target) is not empty and was not published by archiver; choose an empty folder")
      }
    }
    try FileManager.default.createDirectory(
      atPath: "\(target)/\(FolderTarget.control)", withIntermediateDirectories: true)
  }

  /// Acquires the lock, held until the descriptor is closed or the process ends. Throws `.locked`
  /// if another process holds it.
  private func takeLock() throws(PublishError) {
    let path = "\(target)/\(FolderTarget.control)/lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw PublishError(.locked, "\(target): another archiver is publishing there")
    }
    lock = descriptor
  }

  private func line(_ file: PublishedFile) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return Array(try encoder.encode(file)) + [0x0A]
  }

  private func note(_ file: PublishedFile) throws {
    let descriptor = open(journal, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw failure(journal) }
    defer { close(descriptor) }
    let bytes = try line(file)
    let isWritten = bytes.withUnsafeBytes { FolderTarget.append($0, to: descriptor) }
    guard isWritten else { throw failure(journal) }
  }

  // MARK: Files

  /// Whether a file of the archive has the content of the one at the destination.
  private nonisolated func isEqual(_ file: PublishedFile) throws(PublishError) -> Bool {
    let there = PublishedFile(key: file.key, byteCount: file.byteCount, modified: 0)
    let found: String
    do {
      found = try FileContent(target, there).digest().sha256
    } catch {
      // A file of the target that cannot be read is sent again.
      return false
    }
    return try FileContent(root, file).digest().sha256 == found
  }

  /// Copies a file and makes it durable, so that after a power failure no page refers to a lost
  /// file.
  private func copy(_ file: PublishedFile, to draft: String) throws(PublishError) {
    unlink(draft)
    let output = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard output >= 0 else { throw failure(draft) }
    defer { close(output) }
    try FileContent(root, file).forEachPiece { piece throws(PublishError) in
      guard FolderTarget.append(piece, to: output) else { throw failure(draft) }
    }
    guard fsync(output) == 0 else { throw failure(draft) }
  }

  /// Writes all bytes; on failure returns false and leaves the reason in `errno`.
  private static func append(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    return true
  }

  private func remove(_ key: String) throws {
    guard unlink("\(target)/\(key)") == 0 || errno == ENOENT else { throw failure(key) }
    var parts = key.split(separator: "/").dropLast()
    // rmdir fails on directories that are not empty.
    while !parts.isEmpty, rmdir("\(target)/\(parts.joined(separator: "/"))") == 0 {
      parts = parts.dropLast()
    }
  }

  private func failure(_ path: String) -> PublishError {
    let isFull = errno == ENOSPC || errno == EDQUOT
    return PublishError(isFull ? .full : .file, "\(path): \(String(cString: strerror(errno)))")
  }
}
