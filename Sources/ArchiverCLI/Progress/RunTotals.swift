import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

/// The sums of a run over its sources.
struct RunTotals: Sendable {
  private let report: RunReport

  init(_ report: RunReport) { self.report = report }

  var archived: Int { sum(\.archived) }
  var unchanged: Int { sum(\.unchanged) }
  var failed: Int { sum { $0.failed.count + $0.unreached } }
  var kept: Int { sum(\.kept.count) }
  /// The number of copies held back for the first time.
  var heldBack: Int { sum(\.heldBack.count) }
  /// The number of items that failed in earlier runs and were not tried in this one.
  var stillFailing: Int { sum(\.stillFailing) }
  var deferred: Int { sum(\.deferred.count) }
  /// The number of items removed from the archive, for any reason.
  var removed: Int { sum { $0.removed.count + $0.expired.count + $0.left.count } }
  var waiting: Int { sum(\.waiting) }
  var images: Int { sum(\.images) }
  var imagesMissing: Int { sum(\.imagesMissing) }
  /// The number of images that are permanently missing and whose pages link to the originals; not essential.
  var picturesLacking: Int { pictures { $0.isPermanent ? $0.count - ($0.withoutURL ?? 0) : 0 } }
  /// The number of permanently missing images without a URL to link to: embedded, attached, or not
  /// named by the source.
  var picturesGone: Int { pictures { $0.isPermanent ? $0.withoutURL ?? 0 : 0 } }
  /// The number of missing images that will be tried again; not essential.
  var picturesLater: Int { pictures { $0.isPermanent ? 0 : $0.count } }
  var bytes: Int { sum(\.byteCount) }
  var duration: Duration { report.duration }

  private func sum(_ count: (SourceReport) -> Int) -> Int {
    report.sources.reduce(0) { $0 + count($1) }
  }

  private func pictures(_ count: (Losses.Entry) -> Int) -> Int {
    sum { source in
      source.losses.entries.reduce(0) { total, entry in
        entry.kind == .picture && !entry.isEssential ? total + count(entry) : total
      }
    }
  }
}

extension ExitCode {
  /// Returns the exit code for a run's report: the worst result of the run as a whole, then of a
  /// source, then of items.
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
