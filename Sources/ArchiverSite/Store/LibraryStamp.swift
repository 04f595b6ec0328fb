import ArchiverCore
import ArchiverStorage

/// `.archiver/library/stamp.json`: which program wrote the file of `LibraryStore` last, the file's
/// hash, and the state of the queue that the library shows.
///
/// It is removed before the first file of an update is installed, and written last. Without it, or
/// if it does not match, the store is rebuilt.
struct LibraryStamp: Codable, Equatable {
  /// The format that `archiver search` reads. Change it whenever `LibraryItems` or `IndexReader`
  /// cannot read the files of an earlier program.
  private static let searched = 1
  static let path = ".archiver/library/stamp.json"

  /// The program that wrote the store; others may derive other data.
  let program: String
  let language: String
  /// The format of the files that `archiver search` reads.
  private var searched = LibraryStamp.searched
  /// The hash of the store's file.
  var hash: UInt64 = 0
  /// The number of items that the library shows.
  var itemCount = 0
  /// The part of the queue that the library shows (`QueueStanding.mark`).
  var standing: [String] = []

  /// Creates the stamp of this program; `nil` if the program cannot be identified.
  init?(language: String) {
    #if os(Linux)
      let path = "/proc/self/exe"
    #else
      let path = CommandLine.arguments.first ?? ""
    #endif
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    program = "\(status.st_size) \(time.tv_sec).\(time.tv_nsec)"
    self.language = language
  }

  /// Reads the stamp that this program left in the archive at `root`; `nil` if there is none.
  init?(root: String, language: String) {
    guard let own = LibraryStamp(language: language), let stamp = LibraryStamp.read(root),
      stamp.program == own.program, stamp.language == language
    else { return nil }
    self = stamp
  }

  /// Reads the stamp of any program whose library `LibrarySearch` can read; `nil` if there is none.
  init?(readable root: String) {
    guard let stamp = LibraryStamp.read(root), stamp.searched == LibraryStamp.searched else {
      return nil
    }
    self = stamp
  }

  /// Returns the language of the library at `root`, whichever program wrote it; `nil` if that is
  /// unknown.
  static func language(root: String) -> String? { read(root)?.language }

  /// A damaged stamp is like a missing one.
  private static func read(_ root: String) -> LibraryStamp? {
    ArchiveFile(path, in: root).bytes.flatMap {
      try? JSONDecoder().decode(LibraryStamp.self, from: Data($0))
    }
  }

  /// Whether there is a stamp, of any version.
  static func exists(root: String) -> Bool { ArchiveFile(path, in: root).byteCount != nil }

  static func remove(root: String) { unlink("\(root)/\(path)") }

  /// Writes the stamp.
  func write(root: String) throws {
    try PieceFile.replace("\(root)/\(LibraryStamp.path)", Array(JSONEncoder().encode(self)))
  }
}
