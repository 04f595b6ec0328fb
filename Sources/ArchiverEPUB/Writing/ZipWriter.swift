package import ArchiverCore
import CZip

/// Writes a ZIP archive, entry by entry in order.
///
/// libzip writes to a temporary file and renames it when it is complete, so that the target is
/// replaced atomically. Used by one thread at a time.
package final class ZipWriter {
  private var archive: OpaquePointer?
  private let path: String
  private let modified: Date

  /// All entries have the time `modified`, so that the same book gives the same bytes.
  package init(path: String, modified: Date) throws(EPUBError) {
    var code: Int32 = 0
    guard let archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code) else {
      var error = zip_error_t()
      zip_error_init_with_code(&error, code)
      defer { zip_error_fini(&error) }
      throw EPUBError(
        .sink, "\(path) cannot be written: \(String(cString: zip_error_strerror(&error)))")
    }
    self.archive = archive
    self.path = path
    self.modified = modified
  }

  deinit {
    if let archive { zip_discard(archive) }
  }

  /// Adds bytes, compressed unless `isStored`.
  package func add(_ name: String, _ bytes: [UInt8], isStored: Bool = false) throws(EPUBError) {
    // libzip frees the copy once it is written.
    let archive = try opened(name)
    guard let copy = malloc(max(1, bytes.count)) else { throw failure(name) }
    bytes.withUnsafeBytes { if let start = $0.baseAddress { memcpy(copy, start, $0.count) } }
    guard let source = zip_source_buffer(archive, copy, UInt64(bytes.count), 1) else {
      free(copy)
      throw failure(name)
    }
    try add(name, source, isStored: isStored)
  }

  /// Adds a file whose format is compressed, such as an image, without compression; it is read when
  /// the archive is closed.
  package func add(_ name: String, file: String) throws(EPUBError) {
    guard let source = zip_source_file(try opened(name), file, 0, 0) else { throw failure(name) }
    try add(name, source, isStored: true)
  }

  private func add(_ name: String, _ source: OpaquePointer, isStored: Bool) throws(EPUBError) {
    let archive = try opened(name)
    let index = zip_file_add(archive, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
    guard index >= 0 else {
      let error = failure(name)
      zip_source_free(source)
      throw error
    }
    if isStored { zip_set_file_compression(archive, UInt64(index), ZIP_CM_STORE, 0) }
    zip_file_set_mtime(archive, UInt64(index), time_t(modified.timeIntervalSince1970), 0)
  }

  /// Writes the archive.
  package func close() throws(EPUBError) {
    guard zip_close(try opened(path)) == 0 else { throw failure(path) }
    archive = nil
  }

  private func opened(_ name: String) throws(EPUBError) -> OpaquePointer {
    guard let archive else { throw EPUBError(.sink, "\(name) cannot be written: it is closed") }
    return archive
  }

  private func failure(_ name: String) -> EPUBError {
    let reason = archive.flatMap { zip_strerror($0) }.map { String(cString: $0) }
    return EPUBError(.sink, "\(name) cannot be written: \(reason ?? "it is closed")")
  }
}
