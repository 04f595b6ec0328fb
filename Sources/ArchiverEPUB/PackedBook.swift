import ArchiverCore
import ArchiverMarkup

/// A book that has to be unpacked before it can be read: an EPUB in an archive of another kind than ZIP, an EPUB
/// whose entries libzip cannot unpack, or an EPUB or FictionBook that is the only book of another archive.
///
/// 1. Only numbered files are written, in a directory of the caller; names of the archive are never paths.
/// 2. The limits of `ComicArchive` apply. A book in a book in a book is not read.
package struct PackedBook: Sendable {
  package enum Kind: Sendable, Hashable {
    case epub
    case fictionBook
  }

  package let kind: Kind
  /// The path of a file that the converter of `kind` reads.
  package let path: String
  /// Sentences about the archive and about what could not be unpacked.
  package let notes: [String]

  /// Unpacks the book of a file into the directory `folder`, which is created. `nil` if the file contains no
  /// book of these kinds, or several. Throws if the archive or the document that every EPUB has cannot be read.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - folder: A path that does not exist; the caller removes it.
  ///   - limits: The limits of books.
  package init?(path: String, folder: String, limits: EPUBLimits) throws(EPUBError) {
    guard let plan = Plan(try PackedBook.names(path, limits)) else { return nil }
    guard mkdir(folder, 0o700) == 0 else {
      throw EPUBError(.sink, "a folder for the book cannot be made (\(errno))")
    }
    switch plan {
    case .inner(let name, let kind):
      let files = try PackedBook.extract([name], path, folder, limits)
      guard let file = files.paths[name] else {
        throw PackedBook.failure(to: name, files.failures[name])
      }
      self.kind = kind
      self.path = file
      notes = ["The file is an archive; the pages are those of \(name) in it."]
    case .entries(let names):
      let files = try PackedBook.extract(Set(names), path, folder, limits)
      guard files.paths.keys.contains(where: PackedBook.isContainer) else {
        let failure = files.failures.first { PackedBook.isContainer($0.key) }?.value
        throw PackedBook.failure(to: PackedBook.container, failure)
      }
      kind = .epub
      self.path = folder + "/book.epub"
      let writer = try ZipWriter(
        path: self.path, modified: Date(timeIntervalSince1970: 315_532_800))
      for (name, file) in files.paths.sorted(by: { $0.key < $1.key }) {
        try writer.add(name, file: file)
      }
      try writer.close()
      notes = files.failures.sorted { $0.key < $1.key }.map { "\($0.value.message)." }
    }
  }

  /// Whether a ZIP archive is compressed by a method that libzip does not know.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limits: The limits of books.
  package static func hasForeignCompression(path: String, limits: EPUBLimits) -> Bool {
    (try? ZipArchive(path: path, limits: limits))?.hasForeignCompression ?? false
  }

  private enum Plan {
    case inner(String, Kind)
    case entries([String])

    init?(_ names: [String]) {
      let plain = names.filter { !$0.hasPrefix("__MACOSX/") && !$0.isEmpty }
      if plain.contains(where: PackedBook.isContainer) {
        self = .entries(plain)
        return
      }
      let books = plain.filter { ArchivedBook.isWork($0) }
      guard books.count == 1, let name = books.first, let kind = Kind(name) else { return nil }
      self = .inner(name, kind)
    }
  }

  private static let container = "META-INF/container.xml"

  private static func isContainer(_ name: String) -> Bool {
    name == container || name.hasSuffix("/" + container)
  }

  /// Returns whether these files are an EPUB, or contain exactly one book that can be read.
  static func isPacked(_ names: [String]) -> Bool { Plan(names) != nil }

  /// Returns the names of the files in an archive.
  static func names(_ path: String, _ limits: EPUBLimits) throws(EPUBError) -> [String] {
    let archive = try ComicArchive(path: path, limits: limits)
    var names: [String] = []
    while let file = try archive.next() { names.append(file.name) }
    return names
  }

  /// Returns the error for a file without which there is no book; `reason` is why it could not be unpacked.
  private static func failure(to name: String, _ reason: EPUBError?) -> EPUBError {
    if let reason, reason.code == .unsupported { return reason }
    return EPUBError(.damaged, "\(name) in the archive cannot be unpacked")
  }

  /// Writes files of an archive to numbered ones; returns their paths by name, of equal names the last, and by name
  /// why others could not be unpacked.
  private static func extract(
    _ names: Set<String>, _ path: String, _ folder: String, _ limits: EPUBLimits
  ) throws(EPUBError) -> (paths: [String: String], failures: [String: EPUBError]) {
    let archive = try ComicArchive(path: path, limits: limits)
    var paths: [String: String] = [:]
    var failures: [String: EPUBError] = [:]
    var number = 0
    while let file = try archive.next() {
      guard names.contains(file.name) else { continue }
      number += 1
      let target = "\(folder)/\(number)"
      guard let output = fopen(target, "w") else { throw failure(target) }
      defer { fclose(output) }
      do throws(EPUBError) {
        try archive.read(file) { piece throws(EPUBError) in
          guard fwrite(piece.baseAddress, 1, piece.count, output) == piece.count else {
            throw failure(target)
          }
        }
      } catch {
        guard error.isOfOneEntry else { throw error }
        failures[file.name] = error
        continue
      }
      guard fflush(output) == 0 else { throw failure(target) }
      paths[file.name] = target
    }
    return (paths, failures)
  }

  private static func failure(_ path: String) -> EPUBError {
    EPUBError(.sink, "\(path) cannot be written (\(errno))")
  }
}

extension PackedBook.Kind {
  fileprivate init?(_ name: String) {
    let name = name.lowercased()
    if name.hasSuffix(".epub") {
      self = .epub
    } else if [".fb2", ".fb2.zip", ".fb2.gz"].contains(where: { name.hasSuffix($0) }) {
      self = .fictionBook
    } else {
      return nil
    }
  }
}
