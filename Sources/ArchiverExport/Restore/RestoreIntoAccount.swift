package import ArchiverCore
package import ArchiverStorage

/// Adds archived items to an account of a server; the account's own items stay unchanged.
package enum RestoreIntoAccount {
  /// The number of failures of the server, without a success in between, that end the restore.
  private static let mostFailures = 3

  package struct Outcome: Sendable {
    package var added = 0
    /// The number of items that the account already had.
    package var present = 0
    /// The number of items skipped because their source is of another kind.
    package var others = 0
    /// The parts of the account that were added besides items.
    package var parts = AddedParts()
    /// The parts that the server did not accept, with the number of occurrences.
    package var losses: [String: Int] = [:]
    /// Items that cannot be restored, and the reasons.
    package var failed: [(folder: String, reason: String)] = []
    /// The error that ended the restore before the last item; `nil` if there was none.
    package var stopped: AdapterError?
  }

  /// Adds items in the order of saving, and the other parts of their accounts. With `isDry`, only finds out which of
  /// them the account has.
  ///
  /// Throws `CancellationError` between two items; added items stay.
  ///
  /// - Parameters:
  ///   - root: The archive's folder.
  ///   - kind: The kind of source whose items are added.
  ///   - records: The results of `Source.accountRecord` to add.
  package static func add(
    _ items: [CatalogItem], root: String, kind: String, records: [JSONValue],
    to account: any Restoration, isDry: Bool
  ) async throws -> Outcome {
    var outcome = try await add(items, root: root, kind: kind, to: account, isDry: isDry)
    guard outcome.stopped == nil else { return outcome }
    for record in records {
      do throws(AdapterError) {
        let parts = try await account.add(accountRecord: record, isDry: isDry)
        outcome.parts.added += parts.added
        outcome.parts.present += parts.present
        for loss in parts.losses { outcome.losses[loss, default: 0] += 1 }
      } catch {
        if error.code == .cancelled { throw CancellationError() }
        outcome.stopped = error
        return outcome
      }
    }
    return outcome
  }

  private static func add(
    _ items: [CatalogItem], root: String, kind: String, to account: any Restoration, isDry: Bool
  ) async throws -> Outcome {
    var outcome = Outcome()
    var failures = 0
    for item in RestoreExport.bySaving(items) {
      try Task.checkCancellation()
      do {
        let files = try BundleFiles(root: root, item: item)
        guard files.record?.kind ?? kind == kind else {
          outcome.others += 1
          continue
        }
        let kept = KeptItem(files)
        if isDry {
          if try account.has(kept) { outcome.present += 1 } else { outcome.added += 1 }
          continue
        }
        let added = try await account.add(kept)
        failures = 0
        if added.isNew { outcome.added += 1 } else { outcome.present += 1 }
        for loss in added.losses { outcome.losses[loss, default: 0] += 1 }
      } catch let error as ExportError {
        outcome.failed.append((item.folder, error.description))
      } catch let error as AdapterError {
        if error.code == .cancelled { throw CancellationError() }
        failures += error.code == .unavailable || error.code == .rateLimited ? 1 : 0
        if [.unauthorized, .configuration].contains(error.code)
          || failures == RestoreIntoAccount.mostFailures
        {
          outcome.stopped = error
          return outcome
        }
        outcome.failed.append((item.folder, error.message))
      }
    }
    return outcome
  }
}
