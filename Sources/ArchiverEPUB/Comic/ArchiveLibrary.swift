import ArchiverCore
import CArchive

/// libarchive, loaded when the first comic is opened.
struct ArchiveLibrary: Sendable {
  let version: archiver_archive_version
  let make: archiver_archive_new
  let free: archiver_archive_do
  /// One function for each archive format of comics.
  let formats: [archiver_archive_do]
  /// One function for each compression of whole TAR archives that the library has itself; for others it would run
  /// programs.
  let filters: [archiver_archive_do]
  /// ZIP archives by the headers of their files, without the directory.
  let sequentialZip: archiver_archive_do
  /// A compressed file, read as an archive of one file.
  let raw: archiver_archive_do
  let open: archiver_archive_open
  let next: archiver_archive_next
  let block: archiver_archive_block
  let problem: archiver_archive_problem
  let hasLocked: archiver_archive_do
  let name: archiver_archive_entry_text
  let nameUTF8: archiver_archive_entry_text
  let type: archiver_archive_entry_type
  let isLocked: archiver_archive_entry_flag

  /// `nil` if libarchive is not installed or lacks a function.
  static let shared: ArchiveLibrary? = try? ArchiveLibrary()

  #if os(macOS)
    private static let names = [
      "libarchive.13.dylib", "/opt/homebrew/opt/libarchive/lib/libarchive.13.dylib",
      "/usr/lib/libarchive.2.dylib",
    ]
  #else
    private static let names = ["libarchive.so.13", "libarchive.so"]
  #endif

  private struct Absent: Error {}

  private init() throws {
    guard let handle = ArchiveLibrary.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
      throw Absent()
    }
    func find<Function>(_ name: String, _: Function.Type) throws -> Function {
      guard let symbol = dlsym(handle, "archive_" + name) else { throw Absent() }
      return unsafeBitCast(symbol, to: Function.self)
    }
    version = try find("version_string", archiver_archive_version.self)
    make = try find("read_new", archiver_archive_new.self)
    free = try find("read_free", archiver_archive_do.self)
    formats = try ["zip", "rar", "rar5", "7zip", "tar"].map {
      try find("read_support_format_" + $0, archiver_archive_do.self)
    }
    sequentialZip = try find("read_support_format_zip_streamable", archiver_archive_do.self)
    raw = try find("read_support_format_raw", archiver_archive_do.self)
    open = try find("read_open_filename", archiver_archive_open.self)
    next = try find("read_next_header", archiver_archive_next.self)
    block = try find("read_data_block", archiver_archive_block.self)
    problem = try find("error_string", archiver_archive_problem.self)
    hasLocked = try find("read_has_encrypted_entries", archiver_archive_do.self)
    name = try find("entry_pathname", archiver_archive_entry_text.self)
    nameUTF8 = try find("entry_pathname_utf8", archiver_archive_entry_text.self)
    type = try find("entry_filetype", archiver_archive_entry_type.self)
    isLocked = try find("entry_is_data_encrypted", archiver_archive_entry_flag.self)
    // A filter that this build of the library lacks is left out.
    let known = ["gzip", "bzip2", "xz", "zstd"].compactMap {
      try? find("read_support_filter_" + $0, archiver_archive_do.self)
    }
    let trial = make()
    filters = trial.map { trial in known.filter { $0(trial) == 0 } } ?? []
    if let trial { _ = free(trial) }
  }

  /// Calls `body` with a UTF-8 locale on the thread, by which libarchive decodes names.
  func withUTF8<T>(_ body: () -> T) -> T {
    guard let locale = utf8Locale else { return body() }
    let earlier = uselocale(locale)
    defer { uselocale(earlier) }
    return body()
  }
}

/// Kept while the process runs; immutable, and used by all threads.
nonisolated(unsafe) private let utf8Locale: locale_t? =
  newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) ?? newlocale(LC_CTYPE_MASK, "en_US.UTF-8", nil)
