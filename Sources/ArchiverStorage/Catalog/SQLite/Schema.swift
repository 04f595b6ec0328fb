import ArchiverCore

/// The catalog's tables and the migrations of older ones.
///
/// `user_version` counts the migrations applied; each runs in one transaction with its new version.
/// Dates are seconds since 2001-01-01 UTC. JSON columns contain values that are only read as a
/// whole.
enum Schema {
  static var version: Int { migrations.count }
  /// The first version whose queue counts the deaths of the process.
  static let blameVersion = 7
  /// The first version without a search index.
  static let withoutIndexVersion = 11
  /// The first version that records deletions that were held back.
  static let heldDeletionsVersion = 10

  /// The first version that has hashes of the records.
  static let recordHashVersion = 12

  /// Migrates a catalog to the current version, or to an earlier one. Fails with `.tooNew` if a later version
  /// wrote it.
  static func migrate(
    _ connection: Connection, to wanted: Int = version
  ) throws(StorageError) {
    let found = try check(connection)
    for (index, script) in migrations.prefix(wanted).enumerated().dropFirst(found) {
      try connection.transaction { () throws(StorageError) in
        try connection.execute(script)
        if index + 1 == recordHashVersion { try hashRecords(connection) }
        try connection.execute("PRAGMA user_version = \(index + 1)")
      }
    }
    // Returns the space of the former index, most of the file. If that fails, the file stays as large.
    if (1..<withoutIndexVersion).contains(found) { try? connection.execute("VACUUM") }
  }

  private static func hashRecords(_ connection: Connection) throws(StorageError) {
    let hashes = try connection.all("SELECT rowid, record FROM items") { row in
      (row.int(0), row.withBytes(1) { WordHash.of($0) })
    }
    for (row, hash) in hashes {
      try connection.run("UPDATE items SET record_hash = ? WHERE rowid = ?", hash, row)
    }
  }

  /// Returns the version found, at most this program's.
  @discardableResult
  static func check(_ connection: Connection) throws(StorageError) -> Int {
    let found = try connection.number("PRAGMA user_version")
    guard found <= version else {
      throw StorageError(
        .tooNew,
        "\(connection.path) has format \(found), this archiver knows up to \(version); update it")
    }
    try refuseViews(connection)
    return found
  }

  /// A view in place of a table could return foreign data or never end; views under other names are not used.
  private static func refuseViews(_ connection: Connection) throws(StorageError) {
    let view = try connection.first(
      """
      SELECT name FROM sqlite_master WHERE type = 'view' AND name COLLATE NOCASE IN (
        'items', 'queue', 'checkpoints', 'objects', 'assets', 'runs', 'intents', 'pins',
        'link_items', 'link_addresses', 'link_targets', 'link_work', 'discovery')
      """, []
    ) { $0.text(0) }
    guard let view else { return }
    throw StorageError(
      .damaged,
      "\(connection.path) has a view instead of the table \(view); \"archiver repair --catalog\" "
        + "rebuilds the catalog")
  }

  private static let migrations = [
    """
    CREATE TABLE items (
      source TEXT NOT NULL,
      id TEXT NOT NULL,
      revision TEXT NOT NULL,
      folder TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL,
      last_archived REAL NOT NULL,
      byte_count INTEGER NOT NULL,
      record BLOB NOT NULL
    );
    CREATE UNIQUE INDEX items_key ON items (source, id);
    -- Covers planning and sums, which must not touch the records.
    CREATE INDEX items_plan ON items (source, id, revision, state, byte_count);
    CREATE INDEX items_order ON items (last_archived DESC, folder);
    CREATE INDEX items_source_order ON items (source, last_archived DESC, folder);

    CREATE TABLE queue (
      source TEXT NOT NULL,
      id TEXT NOT NULL,
      revision TEXT NOT NULL,
      title TEXT NOT NULL,
      date REAL,
      payload TEXT,
      reason TEXT NOT NULL,
      attempts INTEGER NOT NULL DEFAULT 0,
      next_attempt REAL,
      failure TEXT,
      gave_up INTEGER NOT NULL DEFAULT 0,
      failure_order INTEGER
    );
    CREATE UNIQUE INDEX queue_key ON queue (source, id);
    CREATE INDEX queue_order ON queue (source, date DESC, id);
    CREATE INDEX queue_failures ON queue (failure_order) WHERE failure_order IS NOT NULL;

    CREATE TABLE checkpoints (source TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

    -- The objects that a published bundle was made with: whole and durable.
    CREATE TABLE objects (sha256 TEXT PRIMARY KEY, byte_count INTEGER NOT NULL) WITHOUT ROWID;

    CREATE TABLE assets (
      url TEXT PRIMARY KEY,
      sha256 TEXT NOT NULL,
      byte_count INTEGER NOT NULL,
      media_type TEXT NOT NULL,
      width INTEGER,
      height INTEGER,
      etag TEXT,
      last_modified TEXT,
      fresh_until REAL
    ) WITHOUT ROWID;
    CREATE INDEX assets_object ON assets (sha256);

    CREATE TABLE runs (
      id INTEGER PRIMARY KEY,
      source TEXT NOT NULL,
      kind TEXT NOT NULL,
      started REAL NOT NULL,
      finished REAL,
      outcome TEXT,
      failure TEXT,
      archived INTEGER NOT NULL,
      unchanged INTEGER NOT NULL,
      failed INTEGER NOT NULL,
      images INTEGER NOT NULL,
      images_missing INTEGER NOT NULL,
      byte_count INTEGER NOT NULL
    );
    CREATE INDEX runs_source ON runs (source, id);

    CREATE TABLE intents (
      source TEXT NOT NULL,
      id TEXT NOT NULL,
      intent BLOB NOT NULL,
      PRIMARY KEY (source, id)
    ) WITHOUT ROWID;
    """,
    """
    -- Items that stay whatever a storage budget or a clean-up says.
    CREATE TABLE pins (
      source TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (source, id)
    ) WITHOUT ROWID;
    -- What an entry would take of a storage budget that has no room for it; NULL when it may come.
    ALTER TABLE queue ADD COLUMN needed INTEGER;
    -- Whether a run is fetching the entry's files.
    ALTER TABLE queue ADD COLUMN fetching INTEGER NOT NULL DEFAULT 0;
    """,
    // How bundles link to each other; see SQLiteCatalog+Links.
    """
    CREATE TABLE link_items (
      n INTEGER PRIMARY KEY,
      source TEXT NOT NULL,
      id TEXT NOT NULL,
      folder TEXT NOT NULL,
      title TEXT NOT NULL,
      UNIQUE (source, id)
    );
    CREATE TABLE link_addresses (
      key INTEGER NOT NULL, n INTEGER NOT NULL, address TEXT NOT NULL, PRIMARY KEY (key, n, address)
    ) WITHOUT ROWID;
    CREATE INDEX link_addresses_item ON link_addresses (n);
    CREATE TABLE link_targets (
      key INTEGER NOT NULL, n INTEGER NOT NULL, uses INTEGER NOT NULL, PRIMARY KEY (key, n)
    ) WITHOUT ROWID;
    CREATE INDEX link_targets_item ON link_targets (n);
    CREATE TABLE link_work (n INTEGER PRIMARY KEY);
    """,
    // Made a search index, which version 11 drops.
    "",
    // Targets of links are compared in the forms that kinds of sources define; the next run rereads
    // the links of every page.
    """
    DELETE FROM link_work;
    DELETE FROM link_targets;
    DELETE FROM link_addresses;
    DELETE FROM link_items;
    """,
    // Emptied that index.
    "",
    """
    -- How each source was listed; see `Discovery`.
    CREATE TABLE discovery (
      source TEXT PRIMARY KEY,
      whole_listed REAL,
      whole_found INTEGER NOT NULL DEFAULT 0,
      -- Whose items these are, and four digits of a hash of the credential, to see that it changed.
      account TEXT,
      account_name TEXT,
      credential TEXT,
      -- The id up to which the source was asked about items that it did not name.
      asked_place TEXT
    ) WITHOUT ROWID;
    -- How often the process died while the entry was in work.
    ALTER TABLE queue ADD COLUMN blame INTEGER NOT NULL DEFAULT 0;
    """,
    """
    -- What made an item's page, or found that it need not be made anew; see `CatalogItem.pageRevision`.
    ALTER TABLE items ADD COLUMN page_revision INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX items_pages ON items (page_revision);
    """,
    """
    -- When the entry was first put off, if it was not archived since; see `putOff`.
    ALTER TABLE queue ADD COLUMN deferred_since REAL;
    """,
    """
    -- How many deletions at the source were held back when there were suddenly many; 0 if none are.
    ALTER TABLE discovery ADD COLUMN deletions_held INTEGER NOT NULL DEFAULT 0;
    """,
    // The library has the only search index.
    """
    DROP TABLE IF EXISTS searchable;
    DROP TABLE IF EXISTS passages;
    """,
    """
    -- `WordHash` of the record, so that the library finds changed items without reading the records.
    ALTER TABLE items ADD COLUMN record_hash INTEGER;
    DROP INDEX items_plan;
    CREATE INDEX items_plan ON items (source, id, revision, state, byte_count, record_hash);
    """,
  ]
}
