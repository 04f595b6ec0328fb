import ArchiverCore
import Synchronization

extension Archive {
  /// Compares everything archived with its checksums and with the catalog.
  ///
  /// Reads the bytes of a random `readData` per cent of the files, so that nightly partial checks
  /// cover everything in time; names and sizes are always checked. Works on two threads. `progress`
  /// is called from either thread with the number of bundles checked and the total. Cancelling the
  /// task returns what was found so far. Throws only if the archive cannot be read at all.
  package func verify(
    readData percent: Int = 100, progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws(StorageError) -> VerificationReport {
    let folders = FolderQueue(try bundleFolders())
    let results = await withTaskGroup(of: Result<VerificationReport, StorageError>.self) { group in
      for _ in 0..<2 {
        group.addTask { self.verify(folders, percent: percent, progress) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var report = VerificationReport()
    for result in results { report.merge(try result.get()) }
    if report.isComplete { try verifyCatalog(&report) }
    if report.isComplete { try verifyObjects(percent, &report) }
    report.problems.sort { ($0.folder, $0.file ?? "") < ($1.folder, $1.file ?? "") }
    return report
  }

  /// Compares one bundle with its checksums and reports edited, missing and additional files.
  package func verify(bundle folder: String) throws(StorageError) -> [VerificationProblem] {
    guard let bundle = try root.descend(folder) else {
      return [.init(.bundleMissing, folder: folder)]
    }
    var verifier = BundleVerifier(percent: 100)
    try verifier.check(bundle, path: folder)
    return verifier.report.problems
  }

  private func verify(
    _ folders: FolderQueue, percent: Int, _ progress: @Sendable (Int, Int) -> Void
  ) -> Result<VerificationReport, StorageError> {
    var verifier = BundleVerifier(percent: percent)
    var extra = VerificationReport()
    do throws(StorageError) {
      while let (folder, number) = folders.next() {
        if Task.isCancelled {
          extra.isComplete = false
          break
        }
        if let bundle = try root.descend(folder) {
          try verifier.check(bundle, path: folder)
          if let problem = try compareWithCatalog(bundle, folder) {
            extra.problems.append(problem)
          }
        }
        progress(number, folders.count)
      }
    } catch {
      return .failure(error)
    }
    extra.merge(verifier.report)
    return .success(extra)
  }

  /// Compares a bundle's record with the catalog's.
  ///
  /// A bundle with an unresolved intent, of a running or a killed process, counts as correct: the
  /// next run records it.
  private func compareWithCatalog(
    _ bundle: Folder, _ folder: String
  ) throws(StorageError) -> VerificationProblem? {
    guard let problem = try difference(bundle, folder) else { return nil }
    guard problem.kind == .catalogMismatch || problem.kind == .notInCatalog else { return problem }
    if try isAnnounced(folder) { return nil }
    // It may have been replaced and recorded between the two reads.
    guard let now = try root.descend(folder) else { return nil }
    return try difference(now, folder)
  }

  private func isAnnounced(_ folder: String) throws(StorageError) -> Bool {
    for case .publish(let publication) in try catalog.intents()
    where publication.item.folder == folder {
      let visible = try bundles.read(ChecksumList.fileName, of: folder)
      return visible.map { Digest.sha256Hex($0) } == publication.manifest
    }
    return false
  }

  private func difference(
    _ bundle: Folder, _ folder: String
  ) throws(StorageError) -> VerificationProblem? {
    let name = ItemRecord.fileName
    let record: ItemRecord
    do throws(StorageError) {
      guard try bundle.status(name) != nil else { return .init(.noRecord, folder: folder) }
      record = try ItemRecord(
        json: OpenFile.reading(name, in: bundle).readAll(), path: bundle.at(name))
    } catch {
      return .init(.noRecord, folder: folder, file: name)
    }
    guard let item = try catalog.item(folder: folder) else {
      return .init(.notInCatalog, folder: folder)
    }
    let agrees = item.key == record.key && item.contentHash == record.contentHash
    return agrees ? nil : .init(.catalogMismatch, folder: folder)
  }

  private func verifyCatalog(_ report: inout VerificationReport) throws(StorageError) {
    var missing: [VerificationProblem] = []
    try catalog.forEachFolder { (folder) throws(StorageError) in
      if !hasBundle(folder), try !isLeaving(folder) {
        missing.append(.init(.bundleMissing, folder: folder))
      }
    }
    report.problems += missing
  }

  /// Whether there is an intent to remove the bundle.
  private func isLeaving(_ folder: String) throws(StorageError) -> Bool {
    try catalog.intents().contains {
      if case .remove(_, folder) = $0 { true } else { false }
    }
  }

  /// Whether a bundle is there: a symbolic link, a file, or a directory that cannot be opened is
  /// not.
  private func hasBundle(_ folder: String) -> Bool {
    do throws(StorageError) {
      return try root.descend(folder) != nil
    } catch {
      return false
    }
  }

  private func verifyObjects(
    _ percent: Int, _ report: inout VerificationReport
  ) throws(StorageError) {
    let place = "\(ArchiveLayout.control)/\(ArchiveLayout.objects)"
    try objects.forEachShard { (shard, entries) throws(StorageError) in
      for entry in entries {
        guard let status = try shard.status(entry.name) else { continue }
        report.objects += 1
        // Objects with more links were read in the bundles that link to them.
        guard status.linkCount == 1 else { continue }
        let path = "\(place)/\(entry.name.prefix(2))"
        if try !catalog.remembers(object: entry.name) {
          report.problems.append(.init(.objectUnused, folder: path, file: entry.name))
        } else if percent >= 100 || Int.random(in: 0..<100) < percent {
          let found = try VerifiedFile(entry.name, in: shard)
          report.filesRead += 1
          report.bytesRead += found.byteCount
          if found.sha256 != entry.name {
            report.problems.append(.init(.objectDamaged, folder: path, file: entry.name))
          }
        }
      }
    }
    var missing: [VerificationProblem] = []
    try catalog.forEachObject { (object) throws(StorageError) in
      if try !objects.contains(object) {
        let folder = "\(place)/\(object.sha256.prefix(2))"
        missing.append(.init(.objectMissing, folder: folder, file: object.sha256))
      }
    }
    report.problems += missing
  }
}

/// A queue of directories for several threads.
private final class FolderQueue: Sendable {
  private let folders: [String]
  private let taken = Atomic<Int>(0)

  init(_ folders: [String]) {
    self.folders = folders
  }

  var count: Int { folders.count }

  /// Returns the next folder and its number, counted from 1.
  func next() -> (folder: String, number: Int)? {
    let index = taken.wrappingAdd(1, ordering: .relaxed).oldValue
    return index < folders.count ? (folders[index], index + 1) : nil
  }
}
