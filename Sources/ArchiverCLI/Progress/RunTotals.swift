import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

/// The sums of a run over its sources.
struct RunTotals: Sendable, Hashable {
  var archived = 0
  var unchanged = 0
  var failed = 0
  var kept = 0
  /// Those of `kept` that no earlier run found.
  var heldBack = 0
  /// Items that failed in earlier runs and were not tried in this one.
  var stillFailing = 0
  var deferred = 0
  /// Items that left the archive, for whatever reason.
  var removed = 0
  var waiting = 0
  var images = 0
  var imagesMissing = 0
  /// Images that are missing for good, whose pages link to the originals; not essential.
  var picturesLacking = 0
  /// Those that have no URL to link to: embedded, attached, or not named by the source.
  var picturesGone = 0
  /// Images that are tried again; not essential.
  var picturesLater = 0
  var bytes = 0
  var duration = Duration.zero

  init(_ report: RunReport) {
    duration = report.duration
    for source in report.sources {
      archived += source.archived
      unchanged += source.unchanged
      failed += source.failed.count + source.unreached
      kept += source.kept.count
      heldBack += source.heldBack.count
      stillFailing += source.stillFailing
      deferred += source.deferred.count
      removed += source.removed.count + source.expired.count + source.left.count
      waiting += source.waiting
      images += source.images
      imagesMissing += source.imagesMissing
      for entry in source.losses.entries where entry.kind == .picture && !entry.isEssential {
        guard entry.isPermanent else {
          picturesLater += entry.count
          continue
        }
        picturesGone += entry.withoutURL ?? 0
        picturesLacking += entry.count - (entry.withoutURL ?? 0)
      }
      bytes += source.byteCount
    }
  }
}

extension ExitCode {
  /// Returns what a run's report ends the process with: the worst that happened to the run as a
  /// whole, then to a source, then to items.
  init(_ report: RunReport) {
    if report.wasCancelled {
      self = .interrupted
    } else if let failure = report.failure {
      self = ExitCode(failure)
    } else if let failure = report.sources.compactMap(\.failure).first {
      self = ExitCode(failure)
    } else {
      let isWhole =
        report.sources.allSatisfy { $0.isWhole && !$0.needsDecision } && report.unknownIDs.isEmpty
        && report.libraryTroubles.isEmpty
      self = isWhole ? .success : .someFailed
    }
  }
}
