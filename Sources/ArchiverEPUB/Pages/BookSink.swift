/// Receives the files of a converted book, one after another.
///
/// Paths are relative and separated by `/`, consist of the characters `a-z 0-9 . -`, and occur
/// once.
package protocol BookSink: AnyObject {
  /// Begins a file.
  func begin(_ path: String) throws
  /// Receives the next bytes of the file; the buffer is valid only during the call.
  func receive(_ bytes: UnsafeRawBufferPointer) throws
  /// Ends the file. A file that was begun and not ended is invalid.
  func end() throws
}

extension BookSink {
  func write(_ path: String, _ bytes: [UInt8]) throws(EPUBError) {
    do {
      try begin(path)
      try bytes.withUnsafeBytes { try receive($0) }
      try end()
    } catch {
      throw EPUBError(.sink, "the page \(path) could not be stored", underlying: error)
    }
  }
}

extension BookSink {
  /// Streams an entry of the archive into a file; returns the number of bytes.
  func copy(_ entry: String, of archive: ZipArchive, to path: String) throws(EPUBError) -> Int {
    do { try begin(path) } catch { throw EPUBError.sink(path, error) }
    var size = 0
    try archive.stream(entry) { piece throws(EPUBError) in
      size += piece.count
      do { try self.receive(piece) } catch { throw EPUBError.sink(path, error) }
    }
    do { try end() } catch { throw EPUBError.sink(path, error) }
    return size
  }
}
