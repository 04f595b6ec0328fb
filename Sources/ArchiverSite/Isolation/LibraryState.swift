import ArchiverCore
package import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whether an archive's library is complete, according to the records of its last update.
package struct LibraryState: Sendable, Hashable {
  /// Why the last update did not end, as a sentence without its full stop; `nil` if it did, if one
  /// is in progress, and if the archive has no library yet.
  package var failure: String?
  /// The items that the library lacks or shows incompletely, sorted by source and id.
  package var troubles: [LibraryTrouble] = []

  /// A complete library.
  package init() {}

  /// Reads the records of the archive at `root`.
  package init(root: String) {
    failure = LibraryMark(root: root).failure
    troubles = LibraryWork.troubles(root: root)
  }

  package var isComplete: Bool { failure == nil && troubles.isEmpty }
}

/// `.archiver/library/unfinished`: exists while the library is updated, and after an update that did
/// not end. It has the reason as text, or nothing if the process died. An update in progress holds a
/// lock on it (flock(2)).
final class LibraryMark {
  static let path = ".archiver/library/unfinished"

  private let folder: String
  private let path: String
  private var descriptor: Int32 = -1

  init(root: String) {
    folder = "\(root)/.archiver/library"
    path = "\(root)/\(LibraryMark.path)"
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Records that an update begins. Without space for the record, the update fails as well and says
  /// so, hence errors are ignored.
  func begin() {
    mkdir(folder, 0o755)
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
    if descriptor >= 0 { flock(descriptor, LOCK_EX | LOCK_NB) }
  }

  /// Records that the update ended.
  func end() {
    unlink(path)
    release()
  }

  /// Records why the update did not end.
  func fail(_ error: any Error) {
    let text = Array("\(error)".utf8)
    if descriptor >= 0 {
      _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
    release()
  }

  private func release() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  /// Why the last update did not end; `nil` if it did or is in progress.
  var failure: String? {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard flock(file, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK else { return nil }
    let text = [UInt8](unsafeUninitializedCapacity: 1_000) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, buffer.count, 0))
    }
    return text.isEmpty
      ? "the process ended during the update" : String(decoding: text, as: UTF8.self)
  }
}
