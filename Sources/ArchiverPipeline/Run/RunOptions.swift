package import ArchiverCore
package import ArchiverPDF
package import ArchiverSite

/// What a run is asked to do.
package struct RunOptions: Sendable {
  /// Most new or changed items a run archives of each source; `nil` takes all.
  package var maxItems: Int?
  /// Most downloads at once, 1 to 256.
  package var jobs: Int
  /// Downloads that are ready to go when one of `jobs` ends, or whose file is being put away; the
  /// transport sees to it that no more than `jobs` are on the way. With one job there are none: then one
  /// comes after the other.
  var downloadsAhead: Int { jobs - 1 }
  /// Most downloads at once from one host that is not a source's own, 1 to `jobs`.
  package var jobsPerHost: Int
  package var fetchImages: Bool
  /// Lists and plans, fetches no item and writes nothing.
  package var dryRun: Bool
  /// Fetches also what is archived as it is, what gave up and what is not due.
  package var force: Bool
  /// Only the items with these ids; empty takes any.
  package var only: [String]
  /// Earlier versions kept of each item.
  package var keepVersions: Int
  /// Lists from the beginning although a checkpoint is there.
  package var fullListing: Bool
  /// What the bundles say they were written by: `archiver 1.0.0`.
  package var generator: String
  package var limits: Limits
  /// What becomes of items that the source no longer has.
  package var onDeleted = DeletionPolicy.mark
  /// What becomes of a bundle that was edited by hand when its item changed at the source.
  package var onConflict = ConflictPolicy.server
  /// How long a source that drops away in mid-run is waited for, altogether.
  package var patience = Duration.zero
  /// When the run is stopped as planned; `nil` lets it end by itself.
  package var timeLimit: TimeLimit?
  /// Damaged bundles are replaced without being kept as versions.
  package var repairs = false
  /// A source whose account is another than the archive's is run all the same.
  package var acceptsAccount = false
  /// A copy that is worse than the archived one replaces it all the same.
  package var acceptsWorse = false
  /// Makes EPUBs of books of other kinds; `nil` where it is not installed.
  package var bookProgram: BookProgram?
  /// Make pages of DjVu documents; `nil` where they are not installed.
  package var djvuPrograms: DjVuPrograms?
  /// Tells the bytes that are free on the archive's disk; `nil` asks the system.
  package var freeBytes: (@Sendable () -> Int?)?
  /// Reads what the PDF at a path says about itself; `nil` if no reader is installed.
  package var readPDF: (@Sendable (_ path: String) -> Result<PDFFacts, PDFError>)?

  /// Gives the texts of books for the library's search.
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
  /// Returns the options with what a source has of its own.
  func `for`(_ source: RunSource) -> RunOptions {
    var options = self
    options.maxItems = source.maxItems ?? maxItems
    options.keepVersions = source.keepVersions ?? keepVersions
    return options
  }
}

/// A source as a run uses it.
package struct RunSource: Sendable {
  /// The instance's name; also the folder of its bundles.
  package let name: String
  package let kind: String
  package let properties: AdapterProperties
  package let adapter: any Source
  /// The client that the adapter's context has: images of the items go over it too.
  package let client: any HTTPClient
  /// The source's own origin, for which the per-host limit does not apply.
  package let origin: Origin?
  /// Most new or changed items of the run; `nil` takes what the run's options say.
  package var maxItems: Int?
  /// Earlier versions kept of each item; `nil` takes what the run's options say.
  package var keepVersions: Int?
  /// What of its items goes when the run has ended; `nil` keeps all.
  package var retention: RetentionPolicy?
  /// Changes when the credential or the server does; tells nothing about them. `nil` where there is none.
  package var credentialMark: String?
  /// What of its addresses must not be kept.
  package var secrets = AddressSecrets()
  /// Most bytes that its bundles may take together; `nil` sets no bound.
  package var maxBytes: Int?
  /// Bytes that are to stay free on the archive's disk; `nil` sets no bound.
  package var minFree: Int?

  package init(
    name: String, kind: String, properties: AdapterProperties, adapter: any Source,
    client: any HTTPClient, origin: Origin?
  ) {
    self.name = name
    self.kind = kind
    self.properties = properties
    self.adapter = adapter
    self.client = client
    self.origin = origin
  }

  /// A source whose kind is built in.
  package init(
    name: String, adapter: any SourceAdapter, client: any HTTPClient, origin: Origin?
  ) {
    let type = type(of: adapter)
    self.init(
      name: name, kind: type.kind, properties: type.properties, adapter: adapter, client: client,
      origin: origin)
  }
}

extension RunSource {
  /// Whether a file at an address is the source's own to deliver.
  func isOwn(_ address: String) -> Bool {
    guard let url = WebURL(address) else { return false }
    return url.origin == origin || properties.ownHosts.contains(url.host)
  }
}
