import ArchiverPipeline
import ArchiverStorage

extension Services {
  /// Verifies the archive in a folder; throws `.notFound` when there is none.
  static func verify(_ path: String, percent: Int) async throws -> Findings {
    let archive = try Archive.open(path: path, mode: .readOnly)
    let report = try await archive.verify(readData: percent)
    let links = try LinkVerification(archive).run(percent: percent)
    try Task.checkCancellation()
    return Findings(
      bundles: report.bundles, files: report.files, bytes: report.bytesRead,
      problems: report.problems.filter(\.isDamage).map(Findings.Problem.init)
        + links.map(Findings.Problem.init))
  }
}

extension Services.Findings.Problem {
  init(_ problem: VerificationProblem) {
    self.init(
      path: problem.file.map { "\(problem.folder)/\($0)" } ?? problem.folder,
      kind: problem.kind.rawValue, message: problem.kind.sentence)
  }
}

extension Services.Findings.Problem {
  init(_ link: LinkVerification.Finding) {
    self.init(
      path: link.page, kind: "link",
      message: "a link leads to \(link.address), which is not there")
  }
}

extension VerificationProblem.Kind {
  fileprivate var sentence: String {
    switch self {
    case .missing: "SHA256SUMS names this file, but it is not there"
    case .extra: "SHA256SUMS does not name this file"
    case .hashMismatch: "the file's content is not what was archived"
    case .noChecksums: "SHA256SUMS is missing or cannot be read"
    case .noRecord: "item.json is missing or cannot be read"
    case .notInCatalog: "the catalog does not know this bundle"
    case .bundleMissing: "the catalog names this bundle, but it is not there"
    case .catalogMismatch: "item.json and the catalog differ"
    case .objectMissing: "a remembered file is not in the pool"
    case .objectDamaged: "a file of the pool is damaged"
    case .objectUnused: "nothing uses this file of the pool"
    }
  }
}
