package import ArchiverCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Names the items that are in work, so that the next process knows at which of them this one died.
///
/// The file `.archiver/working` has an item's source and id as one JSON array a line. It is written
/// before the work begins and not flushed: what it is for are deaths of the process, whose writes
/// stay in the page cache. An item may stand in it some time after its work has ended. A crash appends
/// a line (`CrashMark`).
package final class WorkJournal: Sendable {
  private struct State {
    var keys: Set<ItemKey> = []
    var descriptor: Int32
  }

  /// What an earlier process left: the items in work when it died.
  package let left: [ItemKey]
  /// How it died; `nil` where nothing was in work.
  package let death: ProcessDeath?
  private let state: Mutex<State>

  /// Opens the journal of an archive that is open for writing. Where the file cannot be opened,
  /// nothing is known and nothing is noted.
  package init(_ archive: Archive) {
    let path = archive.control.at("working")
    let descriptor = openat(
      archive.control.descriptor, "working", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    let lines = descriptor < 0 ? [] : WorkJournal.lines(path)
    left = lines.compactMap(WorkJournal.key)
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

  /// Notes that work on items begins.
  package func begin(_ keys: [ItemKey]) {
    state.withLock { state in
      state.keys.formUnion(keys)
      WorkJournal.write(state)
    }
  }

  /// Takes note that work on an item has ended; the file tells it later.
  package func end(_ key: ItemKey) {
    state.withLock { _ = $0.keys.remove(key) }
  }

  /// Notes that nothing of a source is in work any more.
  package func finish(source: String) {
    state.withLock { state in
      state.keys = state.keys.filter { $0.source != source }
      WorkJournal.write(state)
    }
  }

  private static func write(_ state: borrowing State) {
    guard state.descriptor >= 0 else { return }
    var bytes: [UInt8] = []
    for key in state.keys {
      // Two texts always encode.
      guard let line = try? JSONEncoder().encode([key.source, key.id]) else { continue }
      bytes += line
      bytes.append(0x0A)
    }
    // A disk that takes no more ends the run elsewhere, with an error of its own.
    _ = bytes.withUnsafeBytes { pwrite(state.descriptor, $0.baseAddress, $0.count, 0) }
    _ = ftruncate(state.descriptor, bytes.count)
  }

  private static let crash = Data("\"crash\"".utf8)

  private static func lines(_ path: String) -> [Data] {
    // What cannot be read tells nothing.
    guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= 4_000_000 else {
      return []
    }
    return data.split(separator: 0x0A).map { Data($0) }
  }

  private static func key(_ line: Data) -> ItemKey? {
    // A line that was cut short is of no use.
    guard let parts = try? JSONDecoder().decode([String].self, from: line), parts.count == 2
    else { return nil }
    return ItemKey(source: parts[0], id: parts[1])
  }
}
