import ArchiverCore

/// A temporary file that replaces the target when it is complete. Used by one thread at a time.
final class DraftFile {
  private let target: String
  /// The temporary file, in the target's directory. It is removed unless it replaces the target.
  let path: String
  private var file: UnsafeMutablePointer<FILE>?

  init(_ target: String) throws(ExportError) {
    self.target = target
    path = "\(target).\(String(UInt64.random(in: 0 ... .max), radix: 36)).new"
    file = fopen(path, "wxe")
    guard file != nil else { throw failure() }
  }

  deinit {
    guard let file else { return }
    fclose(file)
    unlink(path)
  }

  func write(_ bytes: [UInt8]) throws(ExportError) {
    guard let file, fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw failure() }
  }

  /// Makes everything written so far visible to readers of the temporary file.
  func flush() throws(ExportError) {
    guard let file, fflush(file) == 0 else { throw failure() }
  }

  /// Replaces the target.
  func finish() throws(ExportError) {
    guard let file, fflush(file) == 0, fsync(fileno(file)) == 0, rename(path, target) == 0 else {
      throw failure()
    }
    fclose(file)
    self.file = nil
  }

  private func failure() -> ExportError {
    ExportError(description: "\(target) cannot be written: \(String(cString: strerror(errno)))")
  }
}
