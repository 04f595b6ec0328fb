import ArchiverAdapters
import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

extension Services {
  /// The version of the program.
  static let version = "0.1.0"

  /// The real ones.
  package static var live: Services {
    let transport = Transport(userAgent: "archiver/\(version)")
    return Services(
      version: version, kinds: sourceKinds, client: { transport.client($0) },
      catalog: { folder -> (any CatalogReading)? in try openCatalog(folder) },
      run: { try await run($0, events: $1) },
      verify: { try await verify($0, percent: $1) })
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
    options.generator = "archiver \(version)"
    if options.dryRun {
      let run = DryRun(
        catalog: try openCatalog(request.archive), sources: request.sources, options: options,
        clock: request.clock, events: events)
      return await run.run()
    }
    let archive = try Archive.open(
      path: request.archive, mode: .readWrite(holder: "run"), clock: request.clock)
    let run = ArchiveRun(
      archive: archive, sources: request.sources, options: options, clock: request.clock,
      events: events)
    return await run.run()
  }

  private static func verify(_ folder: String, percent: Int) async throws -> Findings {
    let report = try await Archive.open(path: folder, mode: .readOnly).verify(readData: percent)
    return Findings(
      bundles: report.bundles, files: report.files, bytes: report.bytesRead,
      problems: report.problems.filter(\.isDamage).map { problem in
        Findings.Problem(
          path: problem.file.map { "\(problem.folder)/\($0)" } ?? problem.folder,
          kind: problem.kind.rawValue, message: words(problem.kind))
      })
  }

  private static func words(_ kind: VerificationProblem.Kind) -> String {
    switch kind {
    case .missing: "the file is gone"
    case .extra: "the file was not written by archiver"
    case .hashMismatch: "the file is not what was written"
    case .noChecksums: "SHA256SUMS is missing or cannot be read"
    case .noRecord: "item.json is missing or cannot be read"
    case .notInCatalog: "the catalog does not know the bundle"
    case .bundleMissing: "the bundle is gone"
    case .catalogMismatch: "item.json and the catalog differ"
    case .objectMissing: "the object is gone from the pool"
    case .objectDamaged: "the object is not what was written"
    case .objectUnused: "nothing uses the object"
    }
  }
}

extension SQLiteCatalog: CatalogReading {}
