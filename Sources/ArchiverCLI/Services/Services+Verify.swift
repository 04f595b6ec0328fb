import ArchiverCore
import ArchiverPipeline
import ArchiverSite
import ArchiverStorage

extension Services {
  /// Verifies the archive in a directory; throws `.notFound` if there is none.
  static func verify(_ path: String, percent: Int) async throws -> Findings {
    let archive = try Archive.open(path: path, mode: .readOnly)
    let report = try await archive.verify(readData: percent)
    let links = try LinkVerification(archive).run(percent: percent)
    try Task.checkCancellation()
    var findings = Findings(
      bundles: report.bundles, files: report.files, bytes: report.bytesRead,
      problems: report.problems.filter(\.isDamage).map(Findings.Problem.init)
        + links.map(Findings.Problem.init))
    var lacking = Set<ItemKey>()
    try archive.catalog.forEachItem(source: nil) { item in
      if item.completeness == .failed { lacking.insert(item.key) }
      return true
    }
    findings.lacking = lacking.count
    findings.failed = try archive.catalog.failuresBesidesDeaths().count { !lacking.contains($0) }
    findings.library = LibraryState(root: path)
    findings.unused = try archive.garbage()
    return findings
  }
}

extension Services.Findings.Problem {
  init(_ problem: VerificationProblem) {
    self.init(
      path: problem.file.map { "\(problem.folder)/\($0)" } ?? problem.folder,
      kind: problem.kind.rawValue, phrase: problem.kind.phrase)
  }

  init(_ link: LinkVerification.Finding) {
    self.init(path: link.page, kind: "link", phrase: .brokenLink, address: link.address)
  }

  /// The message in a language.
  func sentence(in wording: Wording) -> String { wording.text(phrase, address ?? "") }
}

extension VerificationProblem.Kind {
  var phrase: Phrase {
    switch self {
    case .missing: .missingFile
    case .extra: .extraFile
    case .hashMismatch: .changedFile
    case .noChecksums: .noChecksums
    case .noRecord: .noRecord
    case .notInCatalog: .notInCatalog
    case .bundleMissing: .bundleMissing
    case .catalogMismatch: .catalogMismatch
    case .objectMissing: .objectMissing
    case .objectDamaged: .objectDamaged
    case .objectUnused: .objectUnused
    }
  }
}
