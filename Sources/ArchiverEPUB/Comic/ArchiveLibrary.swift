import CArchive

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
  static let shared: ArchiveLibrary? = ArchiveLibrary()

  #if os(macOS)
    private static let names = [
      "libarchive.13.dylib", "/opt/homebrew/opt/libarchive/lib/libarchive.13.dylib",
      "/usr/lib/libarchive.2.dylib",
    ]
  #else
    private static let names = ["libarchive.so.13", "libarchive.so"]
  #endif

  private init?() {
    guard let handle = ArchiveLibrary.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
      return nil
    }
    func find<Function>(_ name: String, _: Function.Type) -> Function? {
      dlsym(handle, name).map { unsafeBitCast($0, to: Function.self) }
    }
    let formats = ["zip", "rar", "rar5", "7zip", "tar"].compactMap {
      find("archive_read_support_format_" + $0, archiver_archive_do.self)
    }
    guard formats.count == 5,
      let version = find("archive_version_string", archiver_archive_version.self),
      let make = find("archive_read_new", archiver_archive_new.self),
      let free = find("archive_read_free", archiver_archive_do.self),
      let sequentialZip = find(
        "archive_read_support_format_zip_streamable", archiver_archive_do.self),
      let raw = find("archive_read_support_format_raw", archiver_archive_do.self),
      let open = find("archive_read_open_filename", archiver_archive_open.self),
      let next = find("archive_read_next_header", archiver_archive_next.self),
      let block = find("archive_read_data_block", archiver_archive_block.self),
      let problem = find("archive_error_string", archiver_archive_problem.self),
      let hasLocked = find("archive_read_has_encrypted_entries", archiver_archive_do.self),
      let name = find("archive_entry_pathname", archiver_archive_entry_text.self),
      let nameUTF8 = find("archive_entry_pathname_utf8", archiver_archive_entry_text.self),
      let type = find("archive_entry_filetype", archiver_archive_entry_type.self),
      let isLocked = find("archive_entry_is_data_encrypted", archiver_archive_entry_flag.self)
    else { return nil }
    self.formats = formats
    let filters = ["gzip", "bzip2", "xz", "zstd"].compactMap {
      find("archive_read_support_filter_" + $0, archiver_archive_do.self)
    }
    if let trial = make() {
      self.filters = filters.filter { $0(trial) == 0 }
      _ = free(trial)
    } else {
      self.filters = []
    }
    self.sequentialZip = sequentialZip
    self.raw = raw
    self.version = version
    self.make = make
    self.free = free
    self.open = open
    self.next = next
    self.block = block
    self.problem = problem
    self.hasLocked = hasLocked
    self.name = name
    self.nameUTF8 = nameUTF8
    self.type = type
    self.isLocked = isLocked
  }

  /// Calls `body` with a UTF-8 locale on the thread, by which libarchive decodes names.
  func withUTF8<T>(_ body: () -> T) -> T {
    guard let locale = utf8Locale.value else { return body() }
    let earlier = uselocale(locale)
    defer { uselocale(earlier) }
    return body()
  }
}

/// Kept while the process runs.
private let utf8Locale = UTF8Locale()

private struct UTF8Locale: @unchecked Sendable {
  /// Immutable, and used by all threads.
  let value: locale_t?

  init() {
    value = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) ?? newlocale(LC_CTYPE_MASK, "en_US.UTF-8", nil)
  }
}
