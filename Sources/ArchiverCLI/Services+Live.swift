import ArchiverAdapters
import ArchiverCore
import ArchiverPipeline
import ArchiverSite
import ArchiverStorage
import ArchiverTransport

extension Services {
  /// The version without its commit, so that every build of a version writes the same bundles.
  private static let version = ProgramVersion.number

  /// The real services.
  package static var live: Services {
    let transport = Transport(product: "archiver/\(version)")
    var services = Services(
      build: .current, kinds: sourceKinds.map { SourceKind($0) },
      programs: { programKinds(variables: $0.variables, home: $0.home) },
      client: { transport.client($0) },
      catalog: { folder -> (any CatalogReading)? in try openCatalog(folder) },
      run: { try await run($0, events: $1) },
      verify: { try await verify($0, percent: $1) })
    services.usage = { Archive.lastUsage(path: $0) }
    services.isRunAtWork = { Archive.isRunAtWork(path: $0) }
    services.armCrashReport = { CrashMark.armReporter($0) }
    services.lowerPriority = { BackgroundPriority.lower() }
    services.library = { LibraryState(root: $0) }
    services.knownArchives = { KnownArchives(folder: $0.stateFolder) }
    services.confine = { Sandbox.enter($0) }
    services.namedPrograms = { namedProgramKinds(variables: $0.variables, home: $0.home) }
    services.shadowed = { shadowedPrograms(variables: $0.variables, home: $0.home) }
    return services
  }

  /// The names and versions of the libraries in use.
  package static var libraries: [String] {
    CurlVersion.text.split(separator: " ").prefix(2).map(String.init) + [SQLiteVersion.text]
      + PipelineLibraries.versions + [CryptoVersion.text]
  }

  private static func openCatalog(_ folder: String) throws -> SQLiteCatalog? {
    do throws(StorageError) {
      return try Archive.open(path: folder, mode: .readOnly).catalog
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  private static func run(
    _ request: RunRequest, events: any EventSink
  ) async throws -> RunReport {
    var options = request.options
    options.equip(
      version: version, searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "")
    if options.dryRun {
      let run = DryRun(
        catalog: try openCatalog(request.archive), sources: request.sources, options: options,
        clock: request.clock, events: events)
      return await run.run()
    }
    let archive = try Archive.open(
      path: request.archive, mode: .readWrite(holder: "run"), clock: request.clock,
      options: ArchiveOptions(
        linkForms: sourceKinds.compactMap { $0.properties.linkForm },
        titleClasses: Set(sourceKinds.compactMap { $0.properties.titleClass })))
    let run = ArchiveRun(
      archive: archive, sources: request.sources, options: options, clock: request.clock,
      events: events)
    return await run.run()
  }
}

extension SQLiteCatalog: CatalogReading {}
