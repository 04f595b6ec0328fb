import ArchiverCore
import ArchiverMarkup
import CArchive

/// Reads the files of a ZIP, RAR, 7z or TAR archive, also a compressed one, sequentially, in the order of the archive.
///
/// 1. The content determines the format, not the name.
/// 2. No file is ever extracted to a name in the archive.
/// 3. Decompressed bytes are counted; sizes in headers are not trusted.
/// 4. A ZIP archive whose directory is damaged is read without it. One that libarchive does not read to its end is
///    read by its directory.
/// 5. After a damaged file the archive is reopened and read from the next file on. If that fails, the
///    files read so far are the result, and `damage` has the reason.
///
/// Belongs to one thread at a time.
final class ComicArchive {
  /// A regular file.
  struct File {
    /// The name with `/` as the separator; neither unique nor safe as a path.
    let name: String
    /// Whether the content is encrypted.
    let isLocked: Bool
  }

  private static let blockSize = 64 << 10
  private static let mostDamages = 50
  /// The maximum number of characters read of a name, which may have a megabyte.
  private static let longestName = 1_024
  /// The maximum number of consecutive calls that ask to be repeated.
  private static let mostRetries = 10

  private let library: ArchiveLibrary
  private let path: String
  private let limits: EPUBLimits
  private let packed: Int
  private var archive: archiver_archive
  /// The number of headers read.
  private var position = 0
  private var damages = 0
  private var total = 0
  private var isAtEnd = false
  /// The names of the files returned.
  private var seen: Set<String> = []
  /// A ZIP archive that libarchive does not read, or not to its end, with the names of the files that are left.
  private var zip: (archive: ZipArchive, names: [String])?
  private var hasTriedZip = false
  /// Whether the files are found without the directory of the archive, which is damaged.
  private(set) var isWithoutDirectory = false
  /// Why the rest of the archive could not be read; `nil` if it is complete.
  private(set) var damage: String?
  /// Whether the part read so far has encrypted files.
  var hasLockedFiles: Bool { library.hasLocked(archive) > 0 }
  /// The number of links and other entries without content.
  private(set) var linkCount = 0

  /// `isSingle` reads any compressed file, as the only file of an archive.
  init(path: String, limits: EPUBLimits, isSingle: Bool = false) throws(EPUBError) {
    guard let library = ArchiveLibrary.shared else {
      throw EPUBError(.noLibrary, "libarchive, which opens comics, is not installed")
    }
    self.library = library
    self.path = path
    self.limits = limits
    packed = FileSize.of(path) ?? 0
    do throws(EPUBError) {
      archive = try ComicArchive.open(path, library, isSingle ? [library.raw] : library.formats)
    } catch {
      // The reason of libarchive is reported if libzip does not open it either.
      guard !isSingle, let zip = try? ZipArchive(path: path, limits: limits), !zip.names.isEmpty,
        let empty = library.make()
      else { throw error }
      archive = empty
      self.zip = (zip, zip.names.sorted(by: >))
    }
  }

  deinit { _ = library.free(archive) }

  /// Returns the next file; `nil` after the last one. `read` applies to the last one returned.
  ///
  /// Throws if nothing could be read or a limit is exceeded.
  func next() throws(EPUBError) -> File? {
    if zip == nil {
      if let file = try nextFile() {
        seen.insert(file.name)
        return file
      }
      openDirectory()
    }
    return zip?.names.popLast().map { File(name: $0, isLocked: false) }
  }

  /// Continues with the files that the directory of a damaged ZIP archive names besides those returned.
  private func openDirectory() {
    guard damage != nil, !hasTriedZip, !hasLockedFiles else { return }
    hasTriedZip = true
    // If it cannot be opened, the comic ends here.
    guard ZipBytes(path: path)?.record(at: 0) == .file,
      let found = try? ZipArchive(path: path, limits: limits)
    else { return }
    // Names that libzip decodes in another way would be returned twice.
    let names = Set(found.names)
    guard seen.isSubset(of: names) else { return }
    zip = (found, names.subtracting(seen).sorted(by: >))
    if found.damage == nil { damage = nil }
  }

  private func nextFile() throws(EPUBError) -> File? {
    while !isAtEnd {
      guard let entry = try header() else { return nil }
      let type = library.type(entry) & 0o170000
      if type == 0o040000 { continue }
      let full = name(of: entry)
      let name = EntryPath.plain(String(full.prefix(ComicArchive.longestName)))
      // Some archives mark folders only by a trailing slash.
      if full.last.map({ $0 == "/" || $0 == "\\" }) ?? false { continue }
      guard type == 0o100000 || type == 0 else {
        linkCount += 1
        continue
      }
      return File(name: name, isLocked: library.isLocked(entry) > 0)
    }
    return nil
  }

  /// Returns a name in the encoding of the archive, or of the first system whose encoding has it: names that
  /// differ remain different.
  private func name(of entry: archiver_archive_entry) -> String {
    guard let raw = library.withUTF8({ library.nameUTF8(entry) ?? library.name(entry) }) else {
      return ""
    }
    let bytes = [UInt8](UnsafeRawBufferPointer(start: raw, count: strlen(raw)))
    return LegacyName.readings(bytes).first ?? String(decoding: bytes, as: UTF8.self)
  }

  /// Reads the content of the file that `next` returned last; buffers are valid only during the
  /// call.
  ///
  /// Throws `damaged` if the file cannot be read to its end, and `unsupported` if libarchive does not know its
  /// compression; `next` then continues after it.
  func read(
    _ file: File, _ receive: (UnsafeRawBufferPointer) throws(EPUBError) -> Void
  ) throws(EPUBError) {
    guard !file.isLocked else {
      throw EPUBError(.damaged, "the file \(file.name) is locked with a password")
    }
    if let zip { return try zip.archive.stream(file.name, receive) }
    var size = 0
    // Some errors, such as a wrong checksum, are reported with the last bytes only.
    var warning: String?
    while true {
      var start: UnsafeRawPointer?
      var count = 0
      var offset: Int64 = 0
      let code = library.withUTF8 { library.block(archive, &start, &count, &offset) }
      if code == Code.end { break }
      guard code >= Code.warning, code != Code.retry else {
        let reason = problem
        if code <= Code.fatal { try recover(reason) }
        throw ComicArchive.failure(file.name, reason)
      }
      if code == Code.warning { warning = problem }
      let gap = max(0, Int(clamping: offset) - size)
      try add(gap, of: file.name, to: &size)
      try add(count, of: file.name, to: &size)
      try ComicArchive.fill(gap, receive)
      if let start { try receive(UnsafeRawBufferPointer(start: start, count: count)) }
    }
    if let warning { throw ComicArchive.failure(file.name, warning) }
  }

  private static func failure(_ name: String, _ reason: String) -> EPUBError {
    isUnsupported(reason)
      ? EPUBError(.unsupported, "the file \(name) cannot be unpacked: \(reason)")
      : EPUBError(.damaged, "the file \(name) is damaged: \(reason)")
  }

  /// Whether the reason that libarchive gives is a compression method, a filter or a feature that it lacks.
  private static func isUnsupported(_ reason: String) -> Bool {
    let text = reason.lowercased()
    return ["supported", "unavailable", "no support for", "unknown codec"].contains {
      text.contains($0)
    }
  }

  /// Passes zeros for a sparse part of a file.
  private static func fill(
    _ gap: Int, _ receive: (UnsafeRawBufferPointer) throws(EPUBError) -> Void
  ) throws(EPUBError) {
    guard gap > 0 else { return }
    let zeros = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 16)
    defer { zeros.deallocate() }
    zeros.initializeMemory(as: UInt8.self, repeating: 0)
    var left = gap
    while left > 0 {
      let piece = min(left, blockSize)
      try receive(UnsafeRawBufferPointer(rebasing: zeros[..<piece]))
      left -= piece
    }
  }

  /// Return codes of libarchive.
  private enum Code {
    static let end: Int32 = 1
    static let retry: Int32 = -10
    static let warning: Int32 = -20
    static let failed: Int32 = -25
    static let fatal: Int32 = -30
  }

  private func header() throws(EPUBError) -> archiver_archive_entry? {
    var retries = 0
    while true {
      var entry: archiver_archive_entry?
      let code = library.withUTF8 { library.next(archive, &entry) }
      if code == Code.end {
        isAtEnd = true
        return nil
      }
      if code == Code.retry, retries < ComicArchive.mostRetries {
        retries += 1
        continue
      }
      if code >= Code.failed, code != Code.retry, let entry {
        position += 1
        guard position <= limits.entries else {
          throw .limit("the comic has too many entries", .bookEntries, limits.entries)
        }
        return entry
      }
      let reason = problem
      guard position == 0, !isWithoutDirectory, !hasLockedFiles,
        ZipBytes(path: path)?.record(at: 0) == .file
      else {
        try stop(reason)
        return nil
      }
      isWithoutDirectory = true
      try reopen()
    }
  }

  /// Stops reading before the end of the archive.
  private func stop(_ reason: String) throws(EPUBError) {
    isAtEnd = true
    let isLocked =
      hasLockedFiles || reason.lowercased().contains("encrypt")
      || reason.lowercased().contains("passphrase")
    guard position > 0 else {
      if isLocked { throw EPUBError(.locked, "the comic is locked with a password") }
      throw ComicArchive.isUnsupported(reason)
        ? EPUBError(.unsupported, "the archive cannot be unpacked: \(reason)")
        : EPUBError(.notAnArchive, "the file is not an archive or is truncated: \(reason)")
    }
    damage = damage ?? reason
  }

  /// Reopens the archive and continues after the unreadable file.
  private func recover(_ reason: String) throws(EPUBError) {
    damages += 1
    guard damages <= ComicArchive.mostDamages else { return try stop(reason) }
    try reopen()
    for _ in 0..<position {
      var entry: archiver_archive_entry?
      let code = library.withUTF8 { library.next(archive, &entry) }
      guard code >= Code.warning, code != Code.end, entry != nil else { return try stop(reason) }
    }
  }

  private func reopen() throws(EPUBError) {
    let formats = isWithoutDirectory ? [library.sequentialZip] : library.formats
    let again = try ComicArchive.open(path, library, formats)
    _ = library.free(archive)
    archive = again
  }

  /// Counts bytes of a file before they are passed on.
  private func add(_ count: Int, of name: String, to size: inout Int) throws(EPUBError) {
    // A crafted offset may overflow.
    let (sum, isTooLarge) = size.addingReportingOverflow(count)
    guard !isTooLarge, sum <= limits.fileBytes else {
      throw .limit("the file \(name) is too large", .bookFileSize, limits.fileBytes)
    }
    size = sum
    total += count
    if total > 1 << 20, total / max(packed, 1) > limits.ratio {
      throw .limit("the comic grows like a decompression bomb", .bookRatio, limits.ratio)
    }
    if total > limits.totalBytes {
      throw .limit("the comic is too large", .bookSize, limits.totalBytes)
    }
  }

  private var problem: String {
    library.problem(archive).map { String(cString: $0) } ?? "the archive ends too early"
  }

  private static func open(
    _ path: String, _ library: ArchiveLibrary, _ formats: [archiver_archive_do]
  ) throws(EPUBError) -> archiver_archive {
    guard let archive = library.make() else {
      throw EPUBError(.noLibrary, "out of memory: libarchive cannot open the comic")
    }
    for support in formats + library.filters { _ = support(archive) }
    let code = library.withUTF8 { library.open(archive, path, blockSize) }
    guard code >= Code.warning else {
      let reason = library.problem(archive).map { String(cString: $0) } ?? "it cannot be opened"
      _ = library.free(archive)
      throw EPUBError(.notAnArchive, "the file of the comic cannot be read: \(reason)")
    }
    return archive
  }
}
