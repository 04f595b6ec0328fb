import ArchiverCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Keeps another directory, such as a web server's, synchronised with the archive. A reader of the
/// directory never finds a page that refers to a missing file.
package struct FolderPublisher {
  package struct Outcome: Sendable {
    package var put = 0
    package var byteCount = 0
    package var unchanged = 0
    package var deleted = 0
    /// Files that the next run will delete.
    package var leaving = 0
  }

  /// Why the archive was not published, or not completely.
  package enum Failure: Error, Sendable, CustomStringConvertible {
    /// Another process is publishing to the same folder.
    case locked(String)
    case foreign(String)
    case tooManyDeletes(Int, of: Int)
    case file(String)

    package var description: String {
      switch self {
      case .locked(let folder): "\(folder): another archiver is publishing there"
      case .foreign(let folder):
        "\(folder) is not empty and was not published by archiver; choose an empty folder"
      case .tooManyDeletes(let count, let all):
        "\(count) of \(all) files would be removed; to allow that, use --delete"
      case .file(let reason): reason
      }
    }
  }

  private let root: String
  private let target: String
  private let withSources: Bool

  /// Publishes the archive at `root`.
  ///
  /// - Parameters:
  ///   - root: The archive's path.
  ///   - target: The destination, which is created if it does not exist.
  ///   - withSources: Whether the sources' own records are published too.
  package init(root: String, target: String, withSources: Bool = false) {
    self.root = root
    self.target = target
    self.withSources = withSources
  }

  private static let control = "_archiver"
  private var manifest: String { "\(target)/\(FolderPublisher.control)/manifest" }
  /// The files copied since the manifest was written.
  private var journal: String { "\(target)/\(FolderPublisher.control)/journal" }

  /// Returns what `publish` would do, without changing anything.
  package func preview() throws -> Outcome {
    let plan = PublishPlan(
      try PublishPlan.files(root, withSources: withSources), published: try published())
    return Outcome(
      put: plan.putCount, byteCount: plan.byteCount, unchanged: plan.unchanged,
      deleted: plan.deletes.count, leaving: plan.leaving.count)
  }

  /// Copies new and changed files, phase by phase, and then deletes those that had left the archive
  /// by the previous run.
  ///
  /// - Parameters:
  ///   - deletesMany: Whether more than a quarter of the files may be deleted at once.
  package func publish(deletesMany: Bool = false) throws -> Outcome {
    try prepare()
    let lock = try lock()
    defer { close(lock) }
    let before = try published()
    let plan = PublishPlan(
      try PublishPlan.files(root, withSources: withSources), published: before)
    let gone = plan.deletes.count + plan.leaving.count
    guard deletesMany || gone <= max(20, before.count / 4) else {
      throw Failure.tooManyDeletes(gone, of: before.count)
    }
    var outcome = Outcome(unchanged: plan.unchanged)
    var known = before
    for phase in PublishPlan.Phase.allCases {
      for file in plan.puts[phase] ?? [] {
        try Task.checkCancellation()
        try put(file)
        try note(file)
        known[file.key] = file
        outcome.put += 1
        outcome.byteCount += file.byteCount
      }
    }
    for file in plan.leaving { known[file.key]?.isLeaving = true }
    outcome.leaving = plan.leaving.count
    for file in plan.deletes { known[file.key] = nil }
    // If the process dies after this, everything is published; files not yet removed are no longer
    // listed.
    for file in plan.deletes {
      try remove(file.key)
      outcome.deleted += 1
    }
    if outcome.put + outcome.deleted + outcome.leaving > 0 || !exists(manifest) {
      try write(known)
    }
    return outcome
  }

  // MARK: State of the destination

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  private func prepare() throws {
    if exists(target), !exists("\(target)/\(FolderPublisher.control)") {
      let names = try FileManager.default.contentsOfDirectory(atPath: target)
      guard names.allSatisfy({ $0 == "lost+found" }) else { throw Failure.foreign(target) }
    }
    try FileManager.default.createDirectory(
      atPath: "\(target)/\(FolderPublisher.control)", withIntermediateDirectories: true)
  }

  /// Acquires a lock, held until the descriptor is closed or the process ends.
  private func lock() throws(Failure) -> Int32 {
    let path = "\(target)/\(FolderPublisher.control)/lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw .locked(target)
    }
    return descriptor
  }

  /// Reads the manifest and the journal. Files that are missing or have another size are left out,
  /// so that they are copied again.
  private func published() throws -> [String: PublishedFile] {
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
    return found.filter { key, file in
      var status = stat()
      return lstat("\(target)/\(key)", &status) == 0 && Int(status.st_size) == file.byteCount
    }
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
    guard FolderPublisher.append(bytes, to: descriptor) else { throw failure(journal) }
  }

  private func write(_ files: [String: PublishedFile]) throws {
    var bytes: [UInt8] = []
    for key in files.keys.sorted() { if let file = files[key] { bytes += try line(file) } }
    try Data(bytes).write(to: URL(filePath: manifest), options: .atomic)
    if exists(journal) { try FileManager.default.removeItem(atPath: journal) }
  }

  // MARK: Files

  private func put(_ file: PublishedFile) throws {
    let source = "\(root)/\(file.key)"
    let place = "\(target)/\(file.key)"
    let folder = place.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    try FileManager.default.createDirectory(
      atPath: folder.joined(separator: "/"), withIntermediateDirectories: true)
    let draft = "\(target)/\(FolderPublisher.control)/draft"
    try copy(source, to: draft, byteCount: file.byteCount)
    guard rename(draft, place) == 0 else { throw failure(place) }
  }

  /// Copies a file and makes it durable, so that after a power failure no page refers to a lost
  /// file.
  private func copy(_ source: String, to draft: String, byteCount: Int) throws(Failure) {
    let input = open(source, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard input >= 0 else { throw failure(source) }
    defer { close(input) }
    unlink(draft)
    let output = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard output >= 0 else { throw failure(draft) }
    defer { close(output) }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var total = 0
    while true {
      let count = read(input, &buffer, buffer.count)
      guard count >= 0 else { throw failure(source) }
      if count == 0 { break }
      guard FolderPublisher.append(buffer[..<count], to: output) else { throw failure(draft) }
      total += count
    }
    guard total == byteCount else {
      throw .file("\(source) changed while it was published; publish again after the run")
    }
    guard fsync(output) == 0 else { throw failure(draft) }
  }

  /// Writes all bytes; on failure returns false and leaves the reason in `errno`.
  private static func append(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { (piece) -> Int in
        #if canImport(Glibc)
          return Glibc.write(descriptor, piece.baseAddress, piece.count)
        #else
          return Darwin.write(descriptor, piece.baseAddress, piece.count)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  private func remove(_ key: String) throws {
    guard unlink("\(target)/\(key)") == 0 || errno == ENOENT else { throw failure(key) }
    var parts = key.split(separator: "/").dropLast()
    // rmdir fails on folders that still have files.
    while !parts.isEmpty, rmdir("\(target)/\(parts.joined(separator: "/"))") == 0 {
      parts = parts.dropLast()
    }
  }

  private func failure(_ path: String) -> Failure {
    .file("\(path): \(String(cString: strerror(errno)))")
  }
}
