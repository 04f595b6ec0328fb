package import ArchiverCore
package import ArchiverPipeline
package import ArchiverStorage

/// What the commands read of an archive's catalog; see `Catalog` for the contract.
package protocol CatalogReading: Sendable {
  func failures(source: String?) throws(StorageError) -> [(key: ItemKey, work: WorkItem)]
  func incomplete(source: String?) throws(StorageError) -> [(key: ItemKey, work: WorkItem)]
  func item(_ key: ItemKey) throws(StorageError) -> CatalogItem?
  func forEachItem(source: String?, _ body: (CatalogItem) throws -> Bool) throws
  func sources() throws(StorageError) -> [SourceStatus]
  func queueState(_ key: ItemKey) throws(StorageError) -> QueueState?
  func forEachAbsent(source: String?, _ body: (AbsentItem) throws -> Bool) throws
  func pins(source: String?) throws(StorageError) -> Set<ItemKey>
  func runs(source: String?, limit: Int) throws(StorageError) -> [RunRecord]
}

/// What the commands need of the rest of the program; tests put their own in.
package struct Services: Sendable {
  /// A run to make.
  package struct RunRequest: Sendable {
    package let archive: String
    package let sources: [RunSource]
    package let options: RunOptions
    package let clock: ArchiverClock
  }

  /// What a verification found.
  package struct Findings: Sendable {
    package struct Problem: Sendable, Hashable {
      /// Relative to the archive.
      package let path: String
      /// One word for scripts: `missing`, `extra`, `hashMismatch`, `link`.
      package let kind: String
      /// A sentence.
      package let message: String
      /// Where a link leads that leads nowhere.
      package let address: String?

      package init(path: String, kind: String, message: String, address: String? = nil) {
        self.path = path
        self.kind = kind
        self.message = message
        self.address = address
      }
    }

    package var bundles: Int
    package var files: Int
    package var bytes: Int
    package var problems: [Problem]
    /// Items without an essential part.
    package var lacking = 0
    /// Files of the pool that nothing uses.
    package var unused = GarbageReport()

    package init(bundles: Int = 0, files: Int = 0, bytes: Int = 0, problems: [Problem] = []) {
      self.bundles = bundles
      self.files = files
      self.bytes = bytes
      self.problems = problems
    }
  }

  /// A client to make.
  package struct ClientRequest: Sendable {
    package let access: SourceAccess?
    package let policy: AddressPolicy
    /// The number of concurrent downloads.
    package let jobs: Int
    package let events: any EventSink
    package let clock: ArchiverClock
    /// Whom servers may ask about the requests, for the `User-Agent`; `nil` says nothing.
    package var contact: String?
  }

  package var version: String { build.number }
  /// Which program this is.
  package var build: ProgramVersion
  /// Those that are built in.
  package var kinds: [SourceKind]
  /// Those that are programs of this machine; asking may take seconds.
  package var programs: @Sendable (ProcessEnvironment) -> [SourceKind]
  /// The same by their names alone, at once; `nil` where there is no other way than to ask them.
  package var namedPrograms: (@Sendable (ProcessEnvironment) -> [SourceKind])?
  /// Paths of programs, by name, that are ignored because their names are those of built-in kinds.
  package var shadowed: @Sendable (ProcessEnvironment) -> [String: String] = { _ in [:] }
  /// Names and versions of the libraries it works with.
  package var libraries: @Sendable () -> [String] = { [] }
  /// Name and version of the library that reads PDFs; `nil` where it is not installed.
  package var pdfLibrary: @Sendable () -> String? = { nil }
  /// Whether the library that opens comics is installed.
  package var hasComicLibrary: @Sendable () -> Bool = { true }
  /// The path of the program that makes EPUBs of books of other kinds; `nil` where it is not installed.
  package var bookProgram: @Sendable (ProcessEnvironment) -> String? = { _ in nil }
  /// The path of the program that gives the text of PDFs; `nil` where it is not installed.
  package var pdfProgram: @Sendable (ProcessEnvironment) -> String? = { _ in nil }
  /// The paths of the programs that read DjVu documents; empty where none is installed.
  package var djvuPrograms: @Sendable (ProcessEnvironment) -> [String] = { _ in [] }
  /// Runs a line of shell with this input and returns what it prints; throws when it fails.
  package var runCommand: @Sendable (_ line: String, _ input: String?) throws -> String = {
    try ShellCommand.output(of: $0, input: $1)
  }
  /// Gives up the right to change files elsewhere; `nil` in a program without a sandbox.
  package var confine: (@Sendable (Sandbox.Places) -> Void)?
  /// Makes a source's client: with its credential, repeating and at its rate.
  package var client: @Sendable (ClientRequest) -> any HTTPClient
  /// Opens the catalog of an archive to read it; `nil` when there is no archive in the folder.
  package var catalog: @Sendable (_ archive: String) throws -> (any CatalogReading)?
  /// What an archive has on the disk, as it was measured last; `nil` where it never was.
  package var usage: @Sendable (_ archive: String) -> DiskUsage? = { _ in nil }
  /// Runs the pipeline under the archive's lock.
  package var run: @Sendable (RunRequest, any EventSink) async throws -> RunReport
  /// Compares an archive with its checksums and its catalog, reading this per cent of the bundles.
  package var verify: @Sendable (_ archive: String, _ percent: Int) async throws -> Findings

  /// The archives that runs have written to; `nil` where none is remembered.
  package var knownArchives: (@Sendable (ProcessEnvironment) -> KnownArchives)?

  package init(
    version: String, kinds: [SourceKind],
    programs: @escaping @Sendable (ProcessEnvironment) -> [SourceKind] = { _ in [] },
    client: @escaping @Sendable (ClientRequest) -> any HTTPClient,
    catalog: @escaping @Sendable (_ archive: String) throws -> (any CatalogReading)?,
    run: @escaping @Sendable (RunRequest, any EventSink) async throws -> RunReport,
    verify: @escaping @Sendable (_ archive: String, _ percent: Int) async throws -> Findings
  ) {
    build = ProgramVersion(number: version)
    self.kinds = kinds
    self.programs = programs
    self.client = client
    self.catalog = catalog
    self.run = run
    self.verify = verify
  }
}
