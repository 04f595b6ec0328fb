import ArchiverCore
import ArchiverMarkup
import CZip

/// Reads the entries of a ZIP archive, located by its central directory, one at a time. An archive that libzip
/// refuses is read as `ZipRescue` says.
///
/// 1. No entry is ever extracted to a name in the archive; callers request exact names.
/// 2. Entries with unsafe names, symbolic links and directories are hidden; `ignored` names the former
///    two.
/// 3. Of entries with the same name the last is used, as a program that changes an archive may only append to
///    it, and the first of an archive without a usable directory; `repeated` counts the others. `\\` in a name
///    counts as `/`, and `./` is ignored. A name in another encoding than UTF-8 is also found by its text.
/// 4. Decompressed bytes are counted; sizes in headers are not trusted.
///
/// Used by one thread at a time, as libzip requires.
final class ZipArchive {
  private struct Entry {
    let index: UInt64
    let packed: Int
    let isEncrypted: Bool
    let checksum: UInt32
    /// APPNOTE.TXT section 4.4.5.
    let method: UInt16
    /// Whether libzip knows the method.
    let isSupported: Bool
  }

  private let archive: OpaquePointer
  private let limits: EPUBLimits
  private var entries: [String: Entry] = [:]
  private var lowercased: [String: String] = [:]
  /// The names of entries that are percent-encoded or not in UTF-8, by their decoded forms.
  private var decoded: [String: String] = [:]
  private var total = 0
  /// Names of ignored entries that could lead out of the book.
  private(set) var ignored: [String] = []
  /// The number of entries that are not used, as another one with another content has their name.
  private(set) var repeated = 0
  /// Whether an entry is compressed by a method that libzip does not know.
  private(set) var hasForeignCompression = false
  /// Whether the entries were found without the directory of the archive.
  let isWithoutDirectory: Bool
  private let isRescued: Bool
  /// Why entries may be missing; `nil` if there are as many as the archive had.
  let damage: String?

  init(path: String, limits: EPUBLimits) throws(EPUBError) {
    var code: Int32 = 0
    let opened = zip_open(path, ZIP_RDONLY, &code)
    // An end record without entries may be a damaged one.
    let isUsable = opened.map { zip_get_num_entries($0, 0) > 0 } ?? false
    let rescue = isUsable ? nil : ZipRescue(path: path, limits: limits)
    if let opened, rescue != nil { zip_discard(opened) }
    guard let archive = rescue?.archive ?? opened else {
      throw EPUBError(.notAnArchive, ZipArchive.problem(code))
    }
    self.archive = archive
    self.limits = limits
    isWithoutDirectory = rescue?.isWithoutDirectory ?? false
    isRescued = rescue != nil
    damage = rescue?.damage
    let count = Int(zip_get_num_entries(archive, 0))
    guard count <= limits.entries else {
      throw .limit("the book has \(count) entries", .bookEntries, limits.entries)
    }
    for index in 0..<UInt64(max(0, count)) { register(index) }
  }

  deinit { zip_discard(archive) }

  /// All usable names, unordered.
  var names: Dictionary<String, some Any>.Keys { entries.keys }

  /// Returns the entry for a name used in the book: an exact match, or one that differs in Unicode
  /// normalisation or case only, or is percent-encoded in the archive; `nil` without a match.
  func name(matching name: String) -> String? {
    if entries[name] != nil { return name }
    return lowercased[name.lowercased()] ?? decoded[name]
  }

  /// Reads an entry as a whole; `nil` if it does not exist.
  func text(_ name: String) throws(EPUBError) -> [UInt8]? {
    guard entries[name] != nil else { return nil }
    var bytes = [UInt8]()
    try read(name, .bookTextSize, limits.textBytes) { piece throws(EPUBError) in
      bytes += piece
    }
    return bytes
  }

  /// Returns at most the first `count` bytes of an entry; empty if it does not exist or is damaged.
  func prefix(_ name: String, count: Int) -> [UInt8] {
    guard let entry = entries[name], !entry.isEncrypted,
      let file = zip_fopen_index(archive, entry.index, 0)
    else { return [] }
    defer { zip_fclose(file) }
    var bytes = [UInt8](repeating: 0, count: count)
    let got = bytes.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map { zip_fread(file, $0, UInt64(count)) } ?? 0
    }
    return Array(bytes.prefix(max(0, Int(got))))
  }

  /// Reads an entry in pieces, which are valid only during the call.
  func stream(
    _ name: String, _ receive: (UnsafeRawBufferPointer) throws(EPUBError) -> Void
  ) throws(EPUBError) {
    try read(name, .bookFileSize, limits.fileBytes, receive)
  }

  private func read(
    _ name: String, _ limit: Limit, _ most: Int,
    _ receive: (UnsafeRawBufferPointer) throws(EPUBError) -> Void
  ) throws(EPUBError) {
    guard let entry = entries[name] else {
      throw EPUBError(.damaged, "the book has no entry \(name)")
    }
    guard !entry.isEncrypted else {
      throw EPUBError(.damaged, "the entry \(name) is locked with a password")
    }
    guard entry.isSupported else {
      throw EPUBError(
        .unsupported,
        "the entry \(name) cannot be unpacked: compression method \(entry.method) of ZIP is not "
          + "supported")
    }
    guard let file = zip_fopen_index(archive, entry.index, 0) else {
      throw EPUBError(.damaged, "the entry \(name) cannot be unpacked: \(lastProblem)")
    }
    defer { zip_fclose(file) }
    let capacity = 64 << 10
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    defer { buffer.deallocate() }
    var size = 0
    while true {
      let got = Int(zip_fread(file, buffer, UInt64(capacity)))
      guard got >= 0 else {
        let problem = String(cString: zip_file_strerror(file))
        throw EPUBError(.damaged, "the entry \(name) is damaged: \(problem)")
      }
      if got == 0 { return }
      size += got
      total += got
      try check(name, size: size, packed: entry.packed, limit, most)
      try receive(UnsafeRawBufferPointer(start: buffer, count: got))
    }
  }

  private func check(
    _ name: String, size: Int, packed: Int, _ limit: Limit, _ most: Int
  ) throws(EPUBError) {
    if size > most {
      throw .limit("the entry \(name) is too large", limit, most)
    }
    if size > 1 << 20, size / max(packed, 1) > limits.ratio {
      throw .limit(
        "the entry \(name) grows like a decompression bomb", .bookRatio, limits.ratio)
    }
    if total > limits.totalBytes {
      throw .limit("the book is too large", .bookSize, limits.totalBytes)
    }
  }

  private func register(_ index: UInt64) {
    var status = zip_stat_t()
    guard zip_stat_index(archive, index, 0, &status) == 0, let raw = status.name else { return }
    let stored = String(cString: raw)
    if stored.hasSuffix("/") || stored.hasSuffix("\\") || stored.isEmpty { return }
    let name = EntryPath.isSafe(stored) ? stored : EntryPath.plain(stored)
    guard EntryPath.isSafe(name), !isLink(index) else {
      ignored.append(name)
      return
    }
    let isSupported = zip_compression_method_supported(Int32(status.comp_method), 0) != 0
    if !isSupported { hasForeignCompression = true }
    let entry = Entry(
      index: index, packed: Int(clamping: status.comp_size),
      isEncrypted: status.encryption_method != UInt16(ZIP_EM_NONE), checksum: status.crc,
      method: status.comp_method, isSupported: isSupported)
    if let former = entries[name] {
      if former.checksum != entry.checksum { repeated += 1 }
      // The later one may be a part of what was lost.
      if !isRescued { entries[name] = entry }
      return
    }
    entries[name] = entry
    if lowercased[name.lowercased()] == nil { lowercased[name.lowercased()] = name }
    if name.utf8.contains(0x25) {
      let plain = PercentEncoding.decoded(name)
      if decoded[plain] == nil { decoded[plain] = name }
    }
    for other in readings(index) where decoded[other] == nil { decoded[other] = name }
  }

  /// Returns what a name is in the encodings of systems, if it is not in UTF-8.
  private func readings(_ index: UInt64) -> [String] {
    guard let raw = zip_get_name(archive, index, zip_flags_t(ZIP_FL_ENC_RAW)) else { return [] }
    let bytes = [UInt8](UnsafeRawBufferPointer(start: raw, count: strlen(raw)))
    return LegacyName.readings(bytes).map { EntryPath.isSafe($0) ? $0 : EntryPath.plain($0) }
  }

  private func isLink(_ index: UInt64) -> Bool {
    var system: UInt8 = 0
    var attributes: UInt32 = 0
    guard zip_file_get_external_attributes(archive, index, 0, &system, &attributes) == 0 else {
      return false
    }
    let isUnix = Int32(system) == ZIP_OPSYS_UNIX || Int32(system) == ZIP_OPSYS_OS_X
    return isUnix && (attributes >> 16) & 0xF000 == 0xA000
  }

  private var lastProblem: String { String(cString: zip_strerror(archive)) }

  private static func problem(_ code: Int32) -> String {
    if code == ZIP_ER_NOENT { return "the book's file is missing" }
    var error = zip_error_t()
    zip_error_init_with_code(&error, code)
    defer { zip_error_fini(&error) }
    return "the file is not a ZIP archive or is truncated: "
      + String(cString: zip_error_strerror(&error))
  }
}
