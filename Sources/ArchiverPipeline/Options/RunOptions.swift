package import ArchiverCore
package import ArchiverPDF
package import ArchiverSite

/// The options of a run.
package struct RunOptions: Sendable {
  /// The maximum number of new or changed items to archive per source; `nil` for all.
  package var maxItems: Int?
  /// The maximum number of concurrent downloads, 1 to 256.
  package var jobs: Int
  /// Downloads prepared ahead, or being stored, beyond `jobs`; the transport limits those in flight
  /// to `jobs`. With one job there are none, so downloads are sequential.
  var downloadsAhead: Int { jobs - 1 }
  /// The maximum number of concurrent downloads per host other than the sources' own, 1 to `jobs`.
  package var jobsPerHost: Int
  package var fetchImages: Bool
  /// Lists and plans, but fetches no item and writes nothing.
  package var dryRun: Bool
  /// Also fetches items that are unchanged, abandoned or not due.
  package var force: Bool
  /// Only the items with these ids; if empty, any.
  package var only: [String]
  /// The number of earlier versions to keep per item.
  package var keepVersions: Int
  /// Does a full listing even if there is a checkpoint.
  package var fullListing: Bool
  /// The program named in bundles: `archiver 1.0.0`.
  package var generator: String
  package var limits: Limits
  /// What to do with items deleted at the source.
  package var onDeleted = DeletionPolicy.mark
  /// What to do with a bundle edited by hand whose item changed at the source.
  package var onConflict = ConflictPolicy.server
  /// How long to wait altogether for a source that becomes unavailable during the run.
  package var patience = Duration.zero
  /// When to stop the run; `nil` for no limit.
  package var timeLimit: TimeLimit?
  /// Replaces damaged bundles without keeping them as versions.
  package var repairs = false
  /// Runs a source even if its account is not the archive's.
  package var acceptsAccount = false
  /// Replaces the archived copy even by a worse one.
  package var acceptsWorse = false
  /// Converts books of other formats to EPUB; `nil` if it is not installed.
  package var bookProgram: BookProgram?
  /// Convert DjVu documents to pages; `nil` if they are not installed.
  package var djvuPrograms: DjVuPrograms?
  /// Returns the free bytes on the archive's disk; `nil` asks the system.
  package var freeBytes: (@Sendable () -> Int?)?
  /// Reads what the PDF at a path says about itself; `nil` if no reader is installed.
  package var readPDF: (@Sendable (_ path: String) -> Result<PDFFacts, PDFError>)?

  /// The language of bundles and of the library's static pages.
  package var words = Words.english
  /// Reads the texts of books for the library's search.
  package var books: BookTexts

  package init(
    maxItems: Int? = nil, jobs: Int = 16, jobsPerHost: Int = 6, fetchImages: Bool = true,
    dryRun: Bool = false, force: Bool = false, only: [String] = [], keepVersions: Int = 3,
    fullListing: Bool = false, generator: String = "archiver", limits: Limits = Limits()
  ) {
    self.maxItems = maxItems
    self.jobs = max(1, min(jobs, 256))
    self.jobsPerHost = max(1, min(jobsPerHost, self.jobs))
    self.fetchImages = fetchImages
    self.dryRun = dryRun
    self.force = force
    self.only = only
    self.keepVersions = keepVersions
    self.fullListing = fullListing
    self.generator = generator
    self.limits = limits
    books = BookTexts(limits: limits)
  }
}

extension RunOptions {
  /// Returns the options with the source's own settings applied.
  func `for`(_ source: RunSource) -> RunOptions {
    var options = self
    options.maxItems = source.maxItems ?? maxItems
    options.keepVersions = source.keepVersions ?? keepVersions
    return options
  }
}
