import ArchiverCore
import ArchiverStorage

/// Whether an archive's library is complete, according to the records of its last update.
package struct LibraryState: Sendable, Hashable {
  /// Why the last update failed, as a sentence without its full stop; `nil` if it did not, and if the
  /// archive has no library yet.
  package var failure: String?
  /// Whether the process was killed during the last update, which the next run completes.
  package var isInterrupted = false
  /// The items that the library lacks or shows incompletely, sorted by source and id.
  package var troubles: [LibraryTrouble] = []

  /// A complete library.
  package init() {}

  /// Reads the records of the archive at `root`.
  package init(root: String) {
    switch LibraryMark(root: root).state {
    case .none: break
    case .interrupted: isInterrupted = true
    case .failed(let reason): failure = reason
    }
    troubles = LibraryWork.troubles(root: root)
  }

}

/// `.archiver/library/unfinished`: exists during an update of the library, and after one that did
/// not complete. It contains the error as text, `CrashMark.line` after a crash, and is empty if the
/// process was killed. An update in progress holds a lock on it (flock(2)).
final class LibraryMark {
  static let path = ".archiver/library/unfinished"

  private let folder: String
  private let path: String
  private var file: PieceFile?

  init(root: String) {
    folder = "\(root)/.archiver/library"
    path = "\(root)/\(LibraryMark.path)"
  }

  enum State: Equatable {
    /// The last update completed, or one is in progress.
    case none
    case interrupted
    case failed(String)
  }

  /// Records the start of an update. Errors are ignored: without space for the record, the update
  /// fails as well and reports that.
  func begin() {
    mkdir(folder, 0o755)
    file = PieceFile(path, .new, tellsCrash: true)
    file?.lock(LOCK_EX)
  }

  /// Records the completion of the update.
  func end() {
    unlink(path)
    file = nil
  }

  /// Records the error that ended the update.
  func fail(_ error: any Error) {
    try? file?.write(Array("\(error)".utf8), at: 0)
    file = nil
  }

  /// The state after the last update.
  var state: State {
    guard let file = PieceFile(path, .read), file.lock(LOCK_SH) else { return .none }
    let text = (try? file.read(0..<1_000)) ?? []
    if text.isEmpty { return .interrupted }
    return .failed(
      text == Array("\(CrashMark.line)".utf8)
        ? "the program crashed during the update" : String(decoding: text, as: UTF8.self))
  }
}
