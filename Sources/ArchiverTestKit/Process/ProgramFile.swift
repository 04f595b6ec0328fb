import ArchiverCore

/// A program that a test writes in order to start it.
package enum ProgramFile {
  /// Writes an executable file.
  ///
  /// Programs that other tests start meanwhile do not inherit it: one that anybody holds open for
  /// writing cannot be executed ("Text file busy"), and Foundation's way of writing leaves it to
  /// be inherited.
  package static func write(_ text: String, to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o755)
    defer { close(file) }
    let bytes = Array(text.utf8)
    #if canImport(Glibc)
      let count = Glibc.write(file, bytes, bytes.count)
    #else
      let count = Darwin.write(file, bytes, bytes.count)
    #endif
    guard count == bytes.count else { throw ChildProcess.Failure("\(path) cannot be written") }
  }
}
