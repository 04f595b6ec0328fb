/// Something in an archive that is not as it should be.
package struct VerificationProblem: Sendable, Hashable {
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// A file that SHA256SUMS names is not there.
    case missing
    /// A file that SHA256SUMS does not name.
    case extra
    /// A file's bytes are not those that SHA256SUMS was written for.
    case hashMismatch
    /// SHA256SUMS is missing or cannot be read.
    case noChecksums
    /// `item.json` is missing or cannot be read.
    case noRecord
    /// A bundle that the catalog does not know.
    case notInCatalog
    /// The catalog names a bundle that is not there.
    case bundleMissing
    /// `item.json` and the catalog differ.
    case catalogMismatch
    /// A remembered address leads to an object that is not in the pool.
    case objectMissing
    /// An object's bytes are not those it is named by.
    case objectDamaged
    /// An object that nothing uses; `collectGarbage` removes it. Costs space, endangers nothing.
    case objectUnused
  }

  package var kind: Kind
  /// The bundle relative to the archive; for objects their folder.
  package var folder: String
  /// Relative to `folder`; `nil` when the problem is the bundle's.
  package var file: String?

  package init(_ kind: Kind, folder: String, file: String? = nil) {
    self.kind = kind
    self.folder = folder
    self.file = file
  }

  /// Whether something archived is lost or in doubt.
  package var isDamage: Bool { kind != .objectUnused }
}

/// What `Archive.verify` found.
package struct VerificationReport: Sendable {
  /// By folder, then file.
  package var problems: [VerificationProblem] = []
  package var bundles = 0
  /// Files looked at, those of versions included.
  package var files = 0
  /// Files whose bytes were read and compared.
  package var filesRead = 0
  package var bytesRead = 0
  package var objects = 0
  /// False when the task was cancelled before everything was seen.
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
