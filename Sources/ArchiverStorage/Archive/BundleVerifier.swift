import ArchiverCore

/// Compares one bundle with its checksums.
struct BundleVerifier {
  /// The probability that a file's bytes are read, in per cent; names are always compared.
  let percent: Int
  private(set) var report = VerificationReport()

  init(percent: Int) {
    self.percent = percent
  }

  /// Checks a bundle and each of its versions. Problems are reported under `path`.
  mutating func check(_ bundle: Folder, path: String) throws(StorageError) {
    report.bundles += 1
    try checkFiles(bundle, path: path, skipping: [BundlePath.versions])
    if let kind = try bundle.status(BundlePath.versions)?.kind, kind != .folder {
      report.problems.append(.init(.extra, folder: path, file: BundlePath.versions))
      return
    }
    for version in try VersionPlan.versions(of: bundle) {
      guard let folder = try bundle.descend("\(BundlePath.versions)/\(version)") else { continue }
      try checkFiles(folder, path: "\(path)/\(BundlePath.versions)/\(version)", skipping: [])
    }
  }

  private mutating func checkFiles(
    _ folder: Folder, path: String, skipping: Set<String>
  ) throws(StorageError) {
    guard let expected = try ChecksumList(ifReadableIn: folder) else {
      report.problems.append(.init(.noChecksums, folder: path))
      return
    }
    var missing = Set(expected.digests.keys)
    try walk(folder, "", skipping: skipping.union([ChecksumList.fileName])) {
      (name, parent, file) throws(StorageError) in
      report.files += 1
      guard let digest = expected[file] else {
        report.problems.append(.init(.extra, folder: path, file: file))
        return
      }
      missing.remove(file)
      guard percent >= 100 || Int.random(in: 0..<100) < percent else { return }
      let found = try VerifiedFile(name, in: parent)
      report.filesRead += 1
      report.bytesRead += found.byteCount
      if found.sha256 != digest {
        report.problems.append(.init(.hashMismatch, folder: path, file: file))
      }
    }
    report.problems += missing.map { .init(.missing, folder: path, file: $0) }
  }

  /// Calls `body` with each file. Symbolic links and other entries are listed like files: bundles
  /// contain none, so they are reported as extra or wrong.
  private func walk(
    _ folder: Folder, _ path: String, skipping: Set<String>,
    _ body: (String, Folder, String) throws(StorageError) -> Void
  ) throws(StorageError) {
    for entry in try folder.entries() where !skipping.contains(entry.name) {
      if entry.kind == .folder {
        try walk(
          try folder.folder(entry.name), "\(path)\(entry.name)/", skipping: [], body)
      } else {
        try body(entry.name, folder, path + entry.name)
      }
    }
  }
}

/// The digest of the file under a name; `nil` if it cannot be read as a regular file.
struct VerifiedFile {
  let sha256: String?
  let byteCount: Int

  init(_ name: String, in folder: Folder) throws(StorageError) {
    do throws(StorageError) {
      let object = try OpenFile.reading(name, in: folder).digest()
      sha256 = object.sha256
      byteCount = object.byteCount
    } catch {
      // An unreadable sector, or a symbolic link in place of the file, is a finding; the check
      // continues.
      guard error.code == .io || error.code == .damaged else { throw error }
      sha256 = nil
      byteCount = 0
    }
  }
}
