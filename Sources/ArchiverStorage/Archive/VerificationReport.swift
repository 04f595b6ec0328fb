/// A problem found in an archive.
package struct VerificationProblem: Sendable, Hashable {
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// A file in SHA256SUMS is missing.
    case missing
    /// A file is not in SHA256SUMS.
    case extra
    /// A file's bytes do not match SHA256SUMS.
    case hashMismatch
    /// SHA256SUMS is missing or unreadable.
    case noChecksums
    /// `item.json` is missing or unreadable.
    case noRecord
    /// A bundle is not in the catalog.
    case notInCatalog
    /// A bundle in the catalog is missing.
    case bundleMissing
    /// `item.json` and the catalog differ.
    case catalogMismatch
    /// A remembered URL refers to an object that is not in the pool.
    case objectMissing
    /// An object's bytes do not match its name.
    case objectDamaged
    /// An object is unused; `collectGarbage` removes it. Costs space only.
    case objectUnused
  }

  package var kind: Kind
  /// The bundle relative to the archive; for objects their directory.
  package var folder: String
  /// The file relative to `folder`; `nil` if the problem concerns the bundle.
  package var file: String?

  package init(_ kind: Kind, folder: String, file: String? = nil) {
    self.kind = kind
    self.folder = folder
    self.file = file
  }

  /// Whether archived content is lost or in doubt.
  package var isDamage: Bool { kind != .objectUnused }
}

/// The result of `Archive.verify`.
package struct VerificationReport: Sendable {
  /// The problems, sorted by directory, then file.
  package var problems: [VerificationProblem] = []
  package var bundles = 0
  /// The number of files checked, including those of versions.
  package var files = 0
  /// The number of files whose bytes were read and compared.
  package var filesRead = 0
  package var bytesRead = 0
  package var objects = 0
  /// False if the task was cancelled before the end.
  package var isComplete = true

  package init() {}

  package var isClean: Bool { !problems.contains { $0.isDamage } }

  mutating func merge(_ other: VerificationReport) {
    problems += other.problems
    bundles += other.bundles
    files += other.files
    filesRead += other.filesRead
    bytesRead += other.bytesRead
    objects += other.objects
    isComplete = isComplete && other.isComplete
  }
}
