package import ArchiverCore
import Synchronization

/// Records the items in work, so that after a crash the next process knows which items to suspect.
///
/// The file `.archiver/working` has an item's source and id as one JSON array per line. It is
/// written before work begins and not flushed: it serves deaths of the process, whose writes stay
/// in the page cache. An item may remain in it for some time after its work has ended. A crash
/// appends a line (`CrashMark`), and its report to the user another (`noteReport`).
package final class WorkJournal: Sendable {
  private struct State {
    /// The items in work, each with its line.
    var keys: [ItemKey: [UInt8]] = [:]
    var descriptor: Int32
  }

  /// The items that were in work when an earlier process died.
  package let left: [ItemKey]
  /// The death of that process; `nil` if nothing was in work.
  package let death: ProcessDeath?
  /// Whether the user was notified of its crash.
  package let wasReported: Bool
  private let state: Mutex<State>

  /// Opens the journal of an archive that is open for writing. If the file cannot be opened, the
  /// journal is empty and records nothing.
  package init(_ archive: Archive) {
    let path = archive.control.at("working")
    let descriptor = openat(
      archive.control.descriptor, "working", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let lines = descriptor < 0 ? [] : WorkJournal.lines(path)
    left = lines.compactMap(WorkJournal.key)
    wasReported = lines.contains(WorkJournal.report)
    death = left.isEmpty ? nil : lines.contains(WorkJournal.crash) ? .crash : .killed
    state = Mutex(State(descriptor: descriptor))
    if descriptor >= 0 { CrashMark.register(descriptor) }
  }

  deinit {
    let descriptor = state.withLock { $0.descriptor }
    guard descriptor >= 0 else { return }
    CrashMark.unregister(descriptor)
    close(descriptor)
  }

  /// Records, after a crash, that the user was notified of it. `archive` is a path.
  package static func noteReport(archive: String) {
    let descriptor = open(
      archive + "/.archiver/working", O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW)
    // Without the line, the next run reports the crash again.
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let line = [0x0A] + Array(report) + [0x0A]
    _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Removes the entries of an earlier process.
  package func restart() { state.withLock { WorkJournal.store($0) } }

  /// Records that work on items begins.
  package func begin(_ keys: [ItemKey]) {
    state.withLock { state in
      for key in keys { state.keys[key] = WorkJournal.line(key) }
      WorkJournal.store(state)
    }
  }

  /// Records that work on an item has ended; the file is updated later.
  package func end(_ key: ItemKey) {
    state.withLock { _ = $0.keys.removeValue(forKey: key) }
  }

  /// Records that no item of a source is in work.
  package func finish(source: String) {
    state.withLock { state in
      state.keys = state.keys.filter { $0.key.source != source }
      WorkJournal.store(state)
    }
  }

  private static func store(_ state: borrowing State) {
    guard state.descriptor >= 0 else { return }
    let bytes = Array(state.keys.values.joined())
    // A full disk is reported elsewhere, and ends the run there.
    _ = bytes.withUnsafeBytes { pwrite(state.descriptor, $0.baseAddress, $0.count, 0) }
    _ = ftruncate(state.descriptor, bytes.count)
  }

  private static func line(_ key: ItemKey) -> [UInt8] {
    // Encoding two strings cannot fail.
    let line = (try? JSONEncoder().encode([key.source, key.id])) ?? Data()
    return Array(line) + [0x0A]
  }

  private static let crash = Data("\"crash\"".utf8)
  private static let report = Data("\"reported\"".utf8)

  private static func lines(_ path: String) -> [Data] {
    // An unreadable file counts as empty.
    guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= 4_000_000 else {
      return []
    }
    return data.split(separator: 0x0A).map { Data($0) }
  }

  private static func key(_ line: Data) -> ItemKey? {
    // A truncated line is ignored.
    guard let parts = try? JSONDecoder().decode([String].self, from: line), parts.count == 2
    else { return nil }
    return ItemKey(source: parts[0], id: parts[1])
  }
}
