import ArchiverCore
import ArchiverTestKit

/// Archives for tests: 7z, TAR and ZIP written by libarchive, RAR without compression.
enum ArchiveSamples {
  typealias File = (name: String, bytes: [UInt8])

  /// The first bytes of a picture of a kind, with more behind them.
  static func picture(_ start: [UInt8], more: Int = 600) -> [UInt8] {
    start + (0..<more).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) }
  }

  static let jpeg = picture([0xFF, 0xD8, 0xFF, 0xE0])
  static let png = picture([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

  /// Returns the bytes of an archive; `format` is as in `archive_write_set_format_…`: `7zip`, `ustar`, `zip`;
  /// `filter` as in `archive_write_add_filter_…`: `gzip`, `xz`.
  static func archive(
    _ files: [File], format: String, filter: String? = nil, passphrase: String? = nil
  ) throws -> [UInt8] {
    let path = FileManager.default.temporaryDirectory.path + "/archive-\(UUID().uuidString)"
    defer { unlink(path) }
    let library = try WritingLibrary()
    let archive = library.make()
    defer { _ = library.free(archive) }
    guard try library.set("archive_write_set_format_\(format)", archive) == 0 else {
      throw Problem.format(format)
    }
    if let filter { _ = try library.set("archive_write_add_filter_\(filter)", archive) }
    if let passphrase {
      _ = library.options(archive, "encryption=traditional")
      _ = library.passphrase(archive, passphrase)
    }
    guard library.open(archive, path) == 0 else { throw Problem.format(path) }
    for file in files {
      let entry = library.makeEntry()
      defer { library.freeEntry(entry) }
      library.setName(entry, file.name)
      library.setType(entry, 0o100000)
      library.setSize(entry, Int64(file.bytes.count))
      library.setMode(entry, 0o644)
      guard library.header(archive, entry) == 0 else { throw Problem.format(file.name) }
      let written = file.bytes.withUnsafeBytes { library.data(archive, $0.baseAddress, $0.count) }
      guard written == file.bytes.count else { throw Problem.format(file.name) }
    }
    guard library.close(archive) == 0 else { throw Problem.format("close") }
    return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  enum Problem: Error {
    case noLibrary(String)
    case format(String)
  }

  static func rar4(_ files: [File], locked: Bool = false) -> [UInt8] {
    StoredRar.four(files.map { StoredZip.Entry($0.name, bytes: $0.bytes) }, locked: locked)
  }

  static func rar5(_ files: [File]) -> [UInt8] {
    StoredRar.five(files.map { StoredZip.Entry($0.name, bytes: $0.bytes) })
  }
}

/// The functions of libarchive that write.
private struct WritingLibrary {
  typealias Do = @convention(c) (OpaquePointer?) -> Int32
  typealias Text = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Int32

  private let handle: UnsafeMutableRawPointer
  let make: @convention(c) () -> OpaquePointer?
  let free: Do
  let close: Do
  let options: Text
  let passphrase: Text
  let open: Text
  let makeEntry: @convention(c) () -> OpaquePointer?
  let freeEntry: @convention(c) (OpaquePointer?) -> Void
  let setName: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> Void
  let setType: @convention(c) (OpaquePointer?, UInt32) -> Void
  let setSize: @convention(c) (OpaquePointer?, Int64) -> Void
  let setMode: @convention(c) (OpaquePointer?, mode_t) -> Void
  let header: @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32
  let data: @convention(c) (OpaquePointer?, UnsafeRawPointer?, Int) -> Int

  init() throws {
    #if os(macOS)
      let names = ["libarchive.13.dylib", "/opt/homebrew/opt/libarchive/lib/libarchive.13.dylib"]
    #else
      let names = ["libarchive.so.13"]
    #endif
    guard let handle = names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
      throw ArchiveSamples.Problem.noLibrary(names[0])
    }
    self.handle = handle
    func find<Function>(_ name: String, _: Function.Type = Function.self) throws -> Function {
      guard let symbol = dlsym(handle, name) else { throw ArchiveSamples.Problem.noLibrary(name) }
      return unsafeBitCast(symbol, to: Function.self)
    }
    make = try find("archive_write_new")
    free = try find("archive_write_free")
    close = try find("archive_write_close")
    options = try find("archive_write_set_options")
    passphrase = try find("archive_write_set_passphrase")
    open = try find("archive_write_open_filename")
    makeEntry = try find("archive_entry_new")
    freeEntry = try find("archive_entry_free")
    setName = try find("archive_entry_set_pathname")
    setType = try find("archive_entry_set_filetype")
    setSize = try find("archive_entry_set_size")
    setMode = try find("archive_entry_set_perm")
    header = try find("archive_write_header")
    data = try find("archive_write_data")
  }

  func set(_ name: String, _ archive: OpaquePointer?) throws -> Int32 {
    guard let symbol = dlsym(handle, name) else { throw ArchiveSamples.Problem.noLibrary(name) }
    return unsafeBitCast(symbol, to: Do.self)(archive)
  }
}
