import ArchiverCore
import ArchiverEPUB
import ArchiverStorage

/// Writes the pages and files of a converted book into a folder.
final class BookFolder: BookSink {
  struct Failure: Error {
    let path: String
    let number: Int32
  }

  private let folder: String
  private var file: UnsafeMutablePointer<FILE>?

  /// Converts the EPUB at a path, as a run does, and nothing else; returns the number of pages.
  static func convert(_ book: String, to folder: String) throws -> Int {
    for name in ["", "/text", "/style", "/assets"] { mkdir(folder + name, 0o755) }
    let sink = BookFolder(folder)
    return try EPUBConverter(sha1: Digest.sha1).convert(path: book, to: sink).pages.count
  }

  private init(_ folder: String) { self.folder = folder }

  func begin(_ path: String) throws {
    file = fopen("\(folder)/\(path)", "w")
    guard file != nil else { throw Failure(path: path, number: errno) }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) throws {
    guard let file, fwrite(bytes.baseAddress, 1, bytes.count, file) == bytes.count else {
      throw Failure(path: folder, number: errno)
    }
  }

  func end() throws {
    guard let file, fclose(file) == 0 else { throw Failure(path: folder, number: errno) }
    self.file = nil
  }
}
