import ArchiverCore
import ArchiverStorage

/// `.archiver/library/library.sqlite`: data that the library derived from the catalog and the
/// bundles, so that an update need not derive them again.
///
/// It is rebuilt if another program or language wrote it, if its hash differs from the stamp's, and
/// after an update that was interrupted while it installed files. An update is one transaction,
/// which is committed after the files were installed. Thread-safe.
final class LibraryStore: Sendable {
  static let path = ".archiver/library/library.sqlite"
  /// The suffix of a file that is being rebuilt. Until files are installed, searches read the former one.
  private static let remadeSuffix = ".new"
  /// The number of bytes hashed at a time.
  private static let piece = 1 << 18

  /// The stamp of the last update; `nil` if the store was rebuilt.
  let stamp: LibraryStamp?
  private let root: String
  private let language: String
  /// The path of the file; `nil` if it cannot be written there.
  private let file: String?
  private let database: DerivedDatabase

  /// Opens or rebuilds the store of the archive at `root`; in the folder `spare` if the file cannot be written.
  init(root: String, words: Words, spare: String) throws(StorageError) {
    self.root = root
    language = words.language
    let file = "\(root)/\(LibraryStore.path)"
    let stamp = LibraryStamp(root: root, language: language)
    // SQLite would follow a symbolic link.
    if PieceFile(file + "-journal", .read) == nil { unlink(file + "-journal") }
    if let stamp, let database = LibraryStore.known(file, stamp) {
      (self.stamp, self.file, self.database) = (stamp, file, database)
    } else {
      self.stamp = nil
      let remade = file + LibraryStore.remadeSuffix
      for name in [remade, remade + "-journal"] { unlink(name) }
      // Without a stamp, no program reads the former file.
      if LibraryStamp(readable: root) == nil { unlink(file) }
      // The path may name a folder, or the disk may be full.
      if let database = try? DerivedDatabase(path: remade) {
        (self.file, self.database) = (file, database)
      } else {
        self.file = nil
        database = try DerivedDatabase(path: "\(spare)/library.sqlite")
      }
    }
    try database.begin(LibraryStore.schema)
  }

  deinit {
    // After a failed update, free the space of a file that was being rebuilt.
    for name in ["", "-journal"] {
      unlink("\(root)/\(LibraryStore.path)\(LibraryStore.remadeSuffix)\(name)")
    }
  }

  /// Opens the file with the hash of a stamp; `nil` if there is none.
  private static func known(_ file: String, _ stamp: LibraryStamp) -> DerivedDatabase? {
    // A file that cannot be read is rebuilt, whatever the reason.
    guard PieceFile(file, .read) != nil, let database = try? DerivedDatabase(path: file),
      (try? hash(file)) == stamp.hash
    else { return nil }
    return database
  }

  /// Returns the hash of a file, as the stamp records it.
  static func hash(_ path: String) throws(StorageError) -> UInt64 {
    guard let file = PieceFile(path, .read) else { throw PieceFile.error(path, "read") }
    var hash = UInt64(file.byteCount)
    // Reuse one buffer: an array for each chunk would be mapped and zeroed each time.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: piece, alignment: 16)
    defer { buffer.deallocate() }
    for start in stride(from: 0, to: file.byteCount, by: piece) {
      let count = try file.read(at: start, into: buffer)
      hash = WordHash.of(UnsafeRawBufferPointer(rebasing: buffer[..<count]), from: hash)
    }
    return hash
  }

  /// Records that an update begins to install files.
  func forget() { LibraryStamp.remove(root: root) }

  /// Commits the transaction and writes the stamp; `set` sets the stamp's facts about the library.
  func finish(_ set: (inout LibraryStamp) -> Void) {
    guard let file, var new = stamp ?? LibraryStamp(language: language) else { return }
    set(&new)
    // The files of the library are complete. After an error the next update is only slower, as it finds no stamp.
    do {
      if try database.commit() || stamp == nil {
        forget()
        if stamp == nil { try LibraryStore.install(file) }
        new.hash = try LibraryStore.hash(file)
      }
      try new.write(root: root)
    } catch _ {
      forget()
    }
  }

  /// Renames the rebuilt file into place.
  private static func install(_ file: String) throws(StorageError) {
    unlink(file + "-journal")
    guard rename(file + remadeSuffix, file) == 0 else { throw PieceFile.error(file) }
  }

  /// Runs a statement without a result, and returns the number of rows that it changed.
  @discardableResult
  func run(_ sql: String, _ values: any SQLValue...) throws(StorageError) -> Int {
    try run(sql, list: values)
  }

  @discardableResult
  func run(_ sql: String, list values: [any SQLValue]) throws(StorageError) -> Int {
    try guarded { () throws(StorageError) in try database.run(sql, values) }
  }

  /// Calls `body`, which must not use the store, for each row of a result.
  func rows(
    _ sql: String, _ values: any SQLValue...,
    body: (Statement) throws(StorageError) -> Void
  ) throws(StorageError) {
    try guarded { () throws(StorageError) in try database.rows(sql, values, body) }
  }

  /// Returns the result of `value` for each row of a result.
  func all<Value>(
    _ sql: String, _ values: any SQLValue..., value: (Statement) throws(StorageError) -> Value
  ) throws(StorageError) -> [Value] {
    var all: [Value] = []
    try guarded { () throws(StorageError) in
      try database.rows(sql, values) { (row) throws(StorageError) in all.append(try value(row)) }
    }
    return all
  }

  /// Calls `body`, which must not use the store, for each row that a statement with one parameter
  /// gives for each of the values, in their order.
  func rows(
    _ sql: String, each values: some Sequence<any SQLValue>,
    body: (Statement) throws(StorageError) -> Void
  ) throws(StorageError) {
    try guarded { () throws(StorageError) in try database.rows(sql, each: values, body) }
  }

  private func guarded<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    do throws(StorageError) {
      return try body()
    } catch {
      throw outcome(error)
    }
  }

  /// Returns the error to throw. A file that was changed meanwhile is rebuilt by the next update.
  func outcome(_ error: StorageError) -> StorageError {
    guard error.code == .damaged else { return error }
    forget()
    return StorageError(
      .io,
      "the file \(LibraryStore.path) changed while the library was written; run the command again",
      underlying: error)
  }
}

extension LibraryStore {
  /// The tables. Columns that every update reads come first.
  ///
  /// - `items`: the data of each item that lists show, with the state of its text, which is empty until the
  ///   text was read, and `KnownText.inSegment`. `traits` are `LibraryRow.Traits`, `sort` is `NaturalOrder` of the title and
  ///   `whole` its `WordForms.whole`; `ending` is `WordForms.ending` of the folder.
  /// - `shared`: attributes that many items share, as JSON.
  /// - `labels`, `authors`: the names of each item.
  /// - `pages`: hashes of pages' paths and of their content.
  /// - `relations`: the relations of items in the graph.
  /// - `places`: the last drawing of the graph.
  fileprivate static let schema = """
    CREATE TABLE IF NOT EXISTS items (
      number INTEGER PRIMARY KEY, key INTEGER UNIQUE, fingerprint INTEGER, origin INTEGER,
      labels INTEGER, saved REAL, archived REAL, published REAL, minutes INTEGER,
      highlights INTEGER, favourite INTEGER, done INTEGER, progress INTEGER, words INTEGER,
      bytes INTEGER, missing INTEGER, written INTEGER, content INTEGER, indexed INTEGER,
      textContent INTEGER, text INTEGER, passages INTEGER, inSegment INTEGER, traits INTEGER, source TEXT, id TEXT, folder TEXT, title TEXT, hash TEXT, picture TEXT,
      width INTEGER, height INTEGER, authors TEXT, place TEXT, sort BLOB,
      whole TEXT, ending TEXT);
    CREATE INDEX IF NOT EXISTS newest ON items (saved DESC, folder, source, fingerprint);
    CREATE INDEX IF NOT EXISTS oldest ON items (
      archived, source, id, fingerprint, saved, origin, key, content, indexed, textContent, text,
      passages, inSegment);
    CREATE INDEX IF NOT EXISTS titles ON items (sort, archived DESC, source DESC, id DESC);
    CREATE INDEX IF NOT EXISTS endings ON items (ending) WHERE ending IS NOT NULL;
    CREATE INDEX IF NOT EXISTS wholes ON items (whole) WHERE whole IS NOT NULL;
    CREATE INDEX IF NOT EXISTS largest ON items (bytes);
    CREATE INDEX IF NOT EXISTS totals ON items (origin, saved, bytes, words, highlights, minutes);
    CREATE INDEX IF NOT EXISTS special ON items (traits) WHERE traits <> 0;
    CREATE TABLE IF NOT EXISTS shared (number INTEGER PRIMARY KEY, value TEXT UNIQUE);
    CREATE TABLE IF NOT EXISTS labels (
      name TEXT, number INTEGER, PRIMARY KEY (name, number)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS labelled ON labels (number);
    CREATE TABLE IF NOT EXISTS authors (
      name TEXT, number INTEGER, PRIMARY KEY (name, number)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS authored ON authors (number);
    CREATE TABLE IF NOT EXISTS pages (path INTEGER PRIMARY KEY, key INTEGER);
    CREATE TABLE IF NOT EXISTS relations (key INTEGER PRIMARY KEY, version TEXT, record TEXT);
    CREATE TABLE IF NOT EXISTS places (graph INTEGER, points TEXT);
    """
}

/// JSON in columns of the store.
enum StoredJSON {
  /// Returns `null`, which `value` does not read, for a number that is not finite.
  static func text(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }

  /// Parses the output of `text`; `nil` for anything else.
  static func value<Value: Decodable>(_ type: Value.Type, _ text: String) -> Value? {
    try? JSONDecoder().decode(type, from: Data(text.utf8))
  }
}
