package import ArchiverCore
package import ArchiverPipeline
package import ArchiverSite
package import ArchiverStorage

/// The catalog queries of the commands; see `SQLiteCatalog` for the contract.
package protocol CatalogReading: Sendable {
  func failures(source: String?) throws(StorageError) -> [(key: ItemKey, work: WorkItem)]
  func incomplete(source: String?) throws(StorageError) -> [(key: ItemKey, work: WorkItem)]
  func item(_ key: ItemKey) throws(StorageError) -> CatalogItem?
  func keys(named name: String, source: String?) throws(StorageError) -> [ItemKey]
  func forEachItem(source: String?, _ body: (CatalogItem) throws -> Bool) throws
  func sources() throws(StorageError) -> [SourceStatus]
  func queueState(_ key: ItemKey) throws(StorageError) -> QueueState?
  func forEachAbsent(source: String?, _ body: (AbsentItem) throws -> Bool) throws
  func pins(source: String?) throws(StorageError) -> Set<ItemKey>
  func runs(source: String?, limit: Int) throws(StorageError) -> [RunRecord]
  func heldBackCount(source: String) throws(StorageError) -> Int
}

/// The services that commands use; tests replace them.
package struct Services: Sendable {
  /// The parameters of a run.
  package struct RunRequest: Sendable {
    package let archive: String
    package let sources: [RunSource]
    package var options: RunOptions
    package let clock: ArchiverClock
  }

  /// The result of a verification.
  package struct Findings: Sendable {
    package struct Problem: Sendable, Hashable {
      /// The path relative to the archive.
      package let path: String
      /// One word for scripts: `missing`, `extra`, `hashMismatch`, `link`.
      package let kind: String
      /// The problem, as a message.
      let phrase: Phrase
      /// The target of a broken link.
      package var address: String?
    }

    package var bundles = 0
    package var files = 0
    package var bytes = 0
    package var problems: [Problem] = []
    /// The number of items without an essential part.
    package var lacking = 0
    /// The number of items that are not archived, or not in their present state, after failures.
    package var failed = 0
    /// The state of the library.
    package var library = LibraryState()
    /// The unused objects of the pool.
    package var unused = GarbageReport()
  }

  /// The parameters of a client.
  package struct ClientRequest: Sendable {
    package let access: SourceAccess?
    package let policy: AddressPolicy
    /// The number of concurrent downloads.
    package let jobs: Int
    package let events: any EventSink
    package let clock: ArchiverClock
    /// The contact in the `User-Agent`; `nil` omits it.
    package var contact: String?
  }

  package var version: String { build.number }
  /// The version of the program.
  package var build: ProgramVersion
  /// Whether a run is in progress in the archive at a path.
  package var isRunAtWork: @Sendable (String) -> Bool = { _ in true }
  /// The built-in kinds of sources.
  package var kinds: [SourceKind]
  /// The kinds of sources that are programs on this machine. They describe themselves, which may take seconds.
  package var programs: @Sendable (ProcessEnvironment) -> [SourceKind] = { _ in [] }
  /// The same kinds by their names alone, without starting the programs; `nil` if they must be started.
  package var namedPrograms: (@Sendable (ProcessEnvironment) -> [SourceKind])?
  /// The paths, by name, of programs that are ignored because their names are those of built-in kinds.
  package var shadowed: @Sendable (ProcessEnvironment) -> [String: String] = { _ in [:] }
  /// Runs a shell command with this input and returns its output; throws if it fails.
  package var runCommand: @Sendable (_ line: String, _ input: String?) throws -> String = {
    try ShellCommand.output(of: $0, input: $1)
  }
  /// Enters the sandbox, in which only these files can be changed; `nil` in a program without a sandbox.
  package var confine: (@Sendable (Sandbox.Places) -> Void)?
  /// Makes a source's client, with its credential, retries and rate limit.
  package var client: @Sendable (ClientRequest) -> any HTTPClient
  /// Opens the catalog of an archive for reading; `nil` if there is no archive in the directory.
  package var catalog: @Sendable (_ archive: String) throws -> (any CatalogReading)?
  /// The disk usage of an archive as last measured; `nil` if it never was.
  package var usage: @Sendable (_ archive: String) -> DiskUsage? = { _ in nil }
  /// The free space of a folder's file system in bytes, for users other than root; `nil` if unknown.
  package var freeBytes: @Sendable (_ folder: String) -> Int? = { folder in
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return nil }
    return Int(status.f_bavail) * Int(status.f_frsize)
  }
  /// Arms or disarms the report of a crash, which notifies the user like the end of a run.
  package var armCrashReport: @Sendable (Bool) -> Void = { _ in }
  /// Lowers the priority of the process, for `--background`.
  package var lowerPriority: @Sendable () -> Void = {}
  /// The state of an archive's library; complete if there is no archive.
  package var library: @Sendable (_ archive: String) -> LibraryState = { _ in LibraryState() }
  /// Runs the pipeline under the archive's lock.
  package var run: @Sendable (RunRequest, any EventSink) async throws -> RunReport
  /// Compares an archive with its checksums and its catalog, reading this per cent of the bundles.
  package var verify: @Sendable (_ archive: String, _ percent: Int) async throws -> Findings

  /// The archives that runs have written to; `nil` if none are recorded.
  package var knownArchives: (@Sendable (ProcessEnvironment) -> KnownArchives)?
}
