import ArchiverCore
import ArchiverStorage

/// Records the items in work during an update of the library, and the items that are left out of it.
///
/// `.archiver/library/work.jsonl` lists the items in work; if the process dies, the next update
/// finds them there. They are then processed one by one, and the one at which the process dies
/// repeatedly is left out (`ProcessDeath`). `.archiver/library/troubles.jsonl` keeps them between
/// updates. An item that changed is tried again, as is everything by `LibraryBuilder.rebuild` and
/// by a version that reads items differently.
///
/// Both files have a line of JSON for each item: `source`, `id`, `fingerprint` (of its record,
/// hexadecimal), `stage`, and in `troubles.jsonl` also `blame` and `reason` (absent while it is not left out).
final class LibraryWork {
  static let workPath = ".archiver/library/work.jsonl"
  static let troublesPath = ".archiver/library/troubles.jsonl"

  /// The stage of processing.
  enum Stage: String {
    /// Making the data that lists show of each item.
    case row
    /// Making the search data of each item.
    case text
    /// Writing the search index of many items.
    case segment

    /// The blame from which an item is left out. The limit is higher for segments: only one of many
    /// items may be the cause, and processing them one by one must find it first.
    var limit: Int {
      ProcessDeath.failureLimit + (self == .segment ? ProcessDeath.crash.blame : 0)
    }
  }

  /// An item being processed.
  struct Subject: Sendable, Hashable {
    let key: ItemKey
    /// The fingerprint of its record.
    let fingerprint: UInt64
  }

  enum Standing: Equatable {
    case clear
    /// The item was in work when the process died, and has to be processed alone.
    case suspect
    case leftOut
  }

  private struct Entry {
    let subject: Subject
    var stage: Stage
    /// See `ProcessDeath.blame`.
    var blame = 0
    /// The reason if it is left out.
    var reason: String?
    var isSeen = false
  }

  private let root: String
  /// Items with problems, by their fingerprints.
  private var entries: [UInt64: Entry] = [:]
  /// The file of the items in work; opened when the first one is processed.
  private var file: PieceFile?
  /// Whether an earlier process died during an update of the library.
  let hasDied: Bool

  /// Reads the records of earlier updates. With `retries`, items that were left out are processed
  /// again, except one that was processed last and killed the process.
  init(root: String, retries: Bool = false) throws(StorageError) {
    self.root = root
    let dead = LibraryWork.lines(LibraryWork.workPath, root)
    let subjects = dead.compactMap(LibraryWork.entry)
    hasDied = !subjects.isEmpty
    let known = LibraryWork.lines(LibraryWork.troublesPath, root)
    let isOfOtherFormat = known.first?["format"]?.string != LibraryWork.format
    for line in known.dropFirst() {
      guard var entry = LibraryWork.entry(line) else { continue }
      if entry.blame > 0, isOfOtherFormat || (retries && !hasDied) {
        entry.blame = 1
        entry.reason = nil
      }
      entries[entry.subject.fingerprint] = entry
    }
    let death: ProcessDeath =
      dead.contains { $0.string == "crash" } ? .crash : .killed
    for entry in subjects { count(death, entry) }
    guard hasDied else { return }
    try save()
    try open().cut(to: 0)
  }

  /// Identifies the program that left items out; another one may be able to read them.
  private static var format: String { LibraryStamp(language: "")?.program ?? "" }

  private func count(_ death: ProcessDeath, _ dead: Entry) {
    var entry = entries[dead.subject.fingerprint] ?? dead
    entry.stage = dead.stage
    entry.blame += death.blame
    if entry.blame >= entry.stage.limit {
      entry.reason = "the program died repeatedly while it took the item into the library"
    }
    entries[dead.subject.fingerprint] = entry
  }

  /// Returns whether an item is suspected or left out, and records that the archive still has it.
  func standing(_ fingerprint: UInt64) -> Standing {
    guard !entries.isEmpty, let entry = entries[fingerprint] else { return .clear }
    guard entry.blame > 0 else {
      // It could not be read, but did not crash the process, so it can safely be tried again.
      entries[fingerprint] = nil
      return .clear
    }
    entries[fingerprint]?.isSeen = true
    return entry.reason != nil ? .leftOut : .suspect
  }

  /// Whether an item with a row is left out of search.
  func isUnsearchable(_ row: LibraryRow) -> Bool { standing(row.fingerprint) == .leftOut }

  /// Records items as being processed, before processing begins.
  func begin(_ stage: Stage, _ subjects: some Sequence<Subject>) throws(StorageError) {
    var bytes: [UInt8] = []
    for subject in subjects {
      LibraryWork.append(Entry(subject: subject, stage: stage), to: &bytes)
    }
    let file = try open()
    try file.cut(to: 0)
    try file.write(bytes, at: 0)
  }

  /// Records that no item is being processed.
  func end() throws(StorageError) { try file?.cut(to: 0) }

  /// Records that no item is being processed, after an error that is reported elsewhere.
  func abandon() { try? file?.cut(to: 0) }

  /// Leaves out an item that cannot be read; rethrows errors that are not the item's.
  func leaveOut(_ subject: Subject, _ stage: Stage, _ error: any Error) throws {
    if let error = error as? StorageError, error.code != .damaged { throw error }
    entries[subject.fingerprint] = Entry(
      subject: subject, stage: stage, reason: "\(error)", isSeen: true)
  }

  /// The number of items that no list shows.
  var absentCount: Int { entries.values.count { $0.reason != nil && $0.stage == .row } }

  /// The items left out, sorted by source and id.
  var troubles: [LibraryTrouble] { LibraryWork.troubles(entries.values) }

  /// Returns the items that the last update left out, sorted by source and id.
  static func troubles(root: String) -> [LibraryTrouble] {
    troubles(lines(troublesPath, root).dropFirst().compactMap(entry))
  }

  private static func troubles(_ entries: some Collection<Entry>) -> [LibraryTrouble] {
    entries.compactMap { entry in
      entry.reason.map {
        LibraryTrouble(key: entry.subject.key, reason: $0, isListed: entry.stage != .row)
      }
    }.sorted {
      ByteKey("\($0.key.source)\n\($0.key.id)") < ByteKey("\($1.key.source)\n\($1.key.id)")
    }
  }

  /// Ends an update of all items: removed items and those processed without problems are dropped.
  func finish() throws(StorageError) {
    entries = entries.filter { $0.value.isSeen && $0.value.reason != nil }
    try save()
    file = nil
    remove(LibraryWork.workPath)
  }

  private func open() throws(StorageError) -> PieceFile {
    if let file { return file }
    let path = "\(root)/\(LibraryWork.workPath)"
    guard let file = PieceFile(path, .write, tellsCrash: true) else { throw PieceFile.error(path) }
    self.file = file
    return file
  }

  private func save() throws(StorageError) {
    guard !entries.isEmpty else { return remove(LibraryWork.troublesPath) }
    var bytes: [UInt8] = []
    ScriptData.append(["format": .string(LibraryWork.format)], to: &bytes)
    bytes.append(0x0A)
    let sorted = entries.values.sorted { $0.subject.fingerprint < $1.subject.fingerprint }
    for entry in sorted { LibraryWork.append(entry, to: &bytes) }
    try PieceFile.replace("\(root)/\(LibraryWork.troublesPath)", bytes)
  }

  private func remove(_ path: String) { unlink("\(root)/\(path)") }

  private static func append(_ entry: Entry, to bytes: inout [UInt8]) {
    var line: [String: JSONValue] = [
      "source": .string(entry.subject.key.source), "id": .string(entry.subject.key.id),
      "fingerprint": .string(String(entry.subject.fingerprint, radix: 16)),
      "stage": .string(entry.stage.rawValue),
    ]
    if entry.blame > 0 { line["blame"] = .integer(entry.blame) }
    if let reason = entry.reason { line["reason"] = .string(reason) }
    ScriptData.append(.object(line), to: &bytes)
    bytes.append(0x0A)
  }

  /// Parses the lines of a file; truncated or damaged ones are skipped.
  private static func lines(_ path: String, _ root: String) -> [JSONValue] {
    (ArchiveFile(path, in: root).bytes ?? []).split(separator: 0x0A).compactMap { line in
      try? JSONDecoder().decode(JSONValue.self, from: Data(line))
    }
  }

  private static func entry(_ line: JSONValue) -> Entry? {
    guard let source = line["source"]?.string, let id = line["id"]?.string,
      let fingerprint = line["fingerprint"]?.string.flatMap({ UInt64($0, radix: 16) }),
      let stage = line["stage"]?.string.flatMap(Stage.init)
    else { return nil }
    return Entry(
      subject: Subject(key: ItemKey(source: source, id: id), fingerprint: fingerprint),
      stage: stage, blame: min(1_000, max(0, line["blame"]?.integer ?? 0)),
      reason: line["reason"]?.string)
  }
}

extension LibraryRow {
  /// The item as a subject of `LibraryWork`.
  var subject: LibraryWork.Subject {
    LibraryWork.Subject(key: key, fingerprint: fingerprint)
  }
}
