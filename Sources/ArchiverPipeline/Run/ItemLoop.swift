import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// Fetches, processes and publishes the items of a source's work queue.
///
/// One task group holds every step in progress; only this loop decides what starts next, so its
/// counters need no lock. At most `window` items are fetched and processed at a time, and none are
/// fetched while the publisher is full. That bounds memory whatever the length of the queue and the
/// latency of the disk.
struct ItemLoop: ~Copyable {
  enum Step: Sendable {
    case fetched([WorkItem], [Result<SourceItem, AdapterError>])
    case processed(WorkItem, ItemProcessor.Outcome)
    case published(BundlePublisher.Outcome)
    /// A step without a result.
    case prepared
    /// Whether the source is reachable again.
    case waited(Bool)
    /// Whether the source's server responds.
    case probed(Bool)
  }

  let source: RunSource
  let processor: ItemProcessor
  let archive: Archive
  let clock: ArchiverClock
  private let batchSize: Int
  private let window: Int
  let journal: WorkJournal
  /// `nil` if there is no storage budget.
  let budget: StorageBudget?
  /// `nil` if the retention policy excludes no new items.
  private var bound: RetentionBound?

  var queue: WorkSupply
  var ready: [(WorkItem, SourceItem)] = []
  private var publisher = BundlePublisher()
  /// Bundles with a changed copy held back, to be replaced when nothing else is in progress.
  private var mendings: [StagedBundle] = []
  var fetching = 0
  var processing = 0
  private var isPublishing = false
  private var lastPublished: Date
  var isStopping = false
  var health: SourceHealth
  var stranded = StrandedItems()
  private(set) var storageError: StorageError?
  /// Whether staged bundles may still be published: the reserve of a full disk suffices for that.
  private var canPublish = true
  var tally: ItemTally

  init(
    source: RunSource, processor: ItemProcessor, archive: Archive, queue: consuming WorkSupply,
    tally: consuming ItemTally, clock: ArchiverClock, jobs: Int, budget: StorageBudget? = nil,
    bound: RetentionBound? = nil, patience: Duration = .zero,
    journal: WorkJournal, isOneByOne: Bool = false
  ) {
    self.journal = journal
    self.bound = bound
    health = SourceHealth(patience: patience)
    self.budget = budget
    self.source = source
    self.processor = processor
    self.archive = archive
    self.clock = clock
    self.queue = queue
    self.tally = tally
    batchSize = isOneByOne ? 1 : source.properties.batchSize
    window = isOneByOne ? 1 : max(16, jobs, 2 * batchSize)
    lastPublished = clock.now()
  }

  /// Runs until the queue is empty, the budget is used up, or the run must stop.
  consuming func run() async -> SourceRun.Outcome {
    await withTaskGroup(of: Step.self) { group in
      while true {
        if Task.isCancelled { isStopping = true }
        if isStopping { settleStranded() }
        startFetching(&group)
        startProcessing(&group)
        startWaiting(&group)
        startPublishing(&group)
        // An item that is left out or held returns its place in the budget to the queue.
        if group.isEmpty { startFetching(&group) }
        guard let step = await group.next() else { break }
        handle(step)
      }
    }
    await settleSuspects()
    mend()
    journal.finish(source: source.name)
    return SourceRun.Outcome(report: tally.report, error: storageError)
  }

  private mutating func startFetching(_ group: inout TaskGroup<Step>) {
    // A budget is allotted in the order of the queue, so batches must not overtake each other.
    let mostFetching = budget != nil ? 1 : batchSize > 1 ? 2 : 4
    while !isStopping, !health.isOut, !publisher.isFull, fetching < mostFetching,
      ready.count + processing + fetching * batchSize < window
    {
      let batch: [WorkItem]
      do {
        batch = try queue.next(batchSize)
      } catch {
        stop(error)
        return
      }
      guard !batch.isEmpty else { return }
      fetching += 1
      journal.begin(batch.map { key($0) })
      let adapter = source.adapter
      let references = batch.map { $0.reference.opened(source.secrets) }
      group.addTask { .fetched(batch, await adapter.items(references)) }
    }
  }

  private mutating func startProcessing(_ group: inout TaskGroup<Step>) {
    while !isStopping, processing < window, let (work, item) = ready.first {
      var place: StorageBudget.Claim?
      do throws(StorageError) {
        let isKept = try isKept(work, item)
        if isKept == nil { return }
        ready.removeFirst()
        guard isKept == true, try admit(work, item, &place) else {
          journal.end(key(work))
          continue
        }
      } catch {
        stop(error)
        return
      }
      processing += 1
      tally.started(work, title: source.shown(item.metadata.title))
      let processor = processor
      let claim = place
      group.addTask {
        .processed(work, await processor.process(work, item, claim: claim))
      }
    }
  }

  /// Returns whether the retention policy would keep an item; `nil` if items in work decide that
  /// first.
  private mutating func isKept(
    _ work: WorkItem, _ item: SourceItem
  ) throws(StorageError) -> Bool? {
    guard !processor.isSelective else { return true }
    switch try bound?.verdict(work, item, processing: processing) {
    case .take?, nil: return true
    case .wait?: return nil
    case .leaveOut?:
      queue.refundBudget()
      try tally.leftOut(work, catalog: archive.catalog)
      return false
    }
  }

  /// Reserves space for an item in the storage budget; returns false if it is deferred.
  private mutating func admit(
    _ work: WorkItem, _ item: SourceItem, _ claim: inout StorageBudget.Claim?
  ) throws(StorageError) -> Bool {
    guard let budget else { return true }
    let wanted = budget.claim(work, item, isAskedFor: processor.isSelective)
    if let needed = try budget.refusal(wanted) {
      hold(work, needed: needed)
      return false
    }
    claim = wanted
    return true
  }

  /// Publishes a batch if it is full, has waited for two seconds, or nothing else is in progress.
  private mutating func startPublishing(_ group: inout TaskGroup<Step>) {
    guard !isPublishing, canPublish else { return }
    let isIdle = fetching == 0 && processing == 0 && (ready.isEmpty || isStopping)
    let isOverdue = clock.now().timeIntervalSince(lastPublished) > 2
    let rest = queue.isUsedUp ? fetching * batchSize + ready.count + processing : nil
    guard let batch = publisher.next(everything: isIdle || isOverdue, rest: rest) else { return }
    isPublishing = true
    let archive = archive
    let budget = budget
    group.addTask {
      // After a small batch there is too little memory to return.
      let isLarge = batch.count >= BundlePublisher.batchSize
      let outcome = await BlockingWork.run(trimsHeap: isLarge) {
        BundlePublisher.publish(batch, in: archive, within: budget)
      }
      return .published(outcome)
    }
    prepareLibrary(for: batch, isLast: isIdle && queue.isUsedUp, &group)
  }

  /// Prepares the library's update while a batch is flushed and little else is in progress.
  ///
  /// - Parameter isLast: Whether no item follows the batch: then the library's caches are read ahead,
  ///   in memory that items no longer need.
  private func prepareLibrary(
    for batch: [BundlePublisher.Entry], isLast: Bool, _ group: inout TaskGroup<Step>
  ) {
    let library = processor.library
    let keys = batch.map(\.item.bundle.item.key)
    group.addTask {
      library.prepare(keys)
      return .prepared
    }
    group.addTask {
      if isLast { Heap.trim() }
      library.prepare()
      return .prepared
    }
  }

  private mutating func handle(_ step: Step) {
    switch step {
    case .fetched(let works, let results):
      fetching -= 1
      handleFetched(works, results)
    case .processed(let work, let outcome):
      processing -= 1
      handleProcessed(work, outcome)
    case .prepared: break
    case .published(let outcome):
      isPublishing = false
      lastPublished = clock.now()
      handlePublished(outcome)
    case .waited(let isBack):
      handleWaited(isBack)
    case .probed(let responds):
      if let error = health.probed(responds: responds, source.origin) {
        drop(error)
      } else {
        settleStranded()
      }
    }
  }

  private mutating func handlePublished(_ outcome: BundlePublisher.Outcome) {
    for item in outcome.left { tally.left(item) }
    for entry in outcome.archived + outcome.refused { journal.end(key(entry.work)) }
    for entry in outcome.archived { tally.archived(entry.work, entry.item) }
    for entry in outcome.refused { hold(entry.work, needed: entry.item.bundle.item.byteCount) }
    if let error = outcome.error {
      canPublish = false
      stop(error)
    }
  }

  func key(_ work: WorkItem) -> ItemKey {
    ItemKey(source: source.name, id: work.reference.id)
  }

  private mutating func hold(_ work: WorkItem, needed: Int) {
    queue.refundBudget()
    do throws(StorageError) {
      try tally.held(work, needed: needed, catalog: archive.catalog)
    } catch {
      stop(error)
    }
  }

  private mutating func handleFetched(
    _ works: [WorkItem], _ results: [Result<SourceItem, AdapterError>]
  ) {
    var wasUnavailable = false
    for (work, result) in zip(works, results) {
      if case .failure = result { journal.end(key(work)) }
      switch result {
      case .success(let item):
        var work = work
        // Not every listing returns titles, and reports of the item need one.
        if work.reference.title.isEmpty {
          work.reference.title = source.shown(item.metadata.title)
        }
        ready.append((work, item))
      case .failure(let error):
        if handleFailure(work, error) { wasUnavailable = true }
      }
    }
    if let error = health.fetched(wasUnavailable: wasUnavailable) { drop(error) }
  }

  /// Returns whether the failure may be the source's.
  private mutating func handleFailure(_ work: WorkItem, _ error: AdapterError) -> Bool {
    if error.code == .cancelled {
      isStopping = true
      return false
    }
    if error.endsSource {
      tally.endSource(error)
      isStopping = true
      return false
    }
    switch error.code {
    case .unavailable, .rateLimited:
      health.suspect(work, error)
      return true
    // A single response does not prove that an item was deleted; the listing of a later run
    // decides.
    case .notFound, .notReady:
      settle(work, .deferred(error.message, retryAfter: error.retryAfter))
      queue.refundBudget()
    default:
      settle(
        work,
        .failed(
          error.message, isRetryable: error.isRetryable, retryAfter: error.retryAfter))
    }
    return false
  }

  /// Replaces the bundles with copies held back. Skipped if the archive cannot take them: the next
  /// delivery is judged again.
  private mutating func mend() {
    if mendings.isEmpty { return }
    guard canPublish, storageError == nil else { return mendings.forEach(archive.bundles.discard) }
    do throws(StorageError) {
      try archive.mend(mendings)
      tally.mended()
    } catch {
      stop(error)
    }
  }

  private mutating func handleProcessed(_ work: WorkItem, _ outcome: ItemProcessor.Outcome) {
    if case .mending(let bundle, let outcome) = outcome {
      mendings.append(bundle)
      return handleProcessed(work, outcome)
    }
    budget?.processed(key(work), outcome)
    if case .staged = outcome {} else { journal.end(key(work)) }
    if stranded.take(work, outcome) {
      health.staged(isUnreached: true)
      if stranded.isFull { settleStranded() }
      return
    }
    if case .staged = outcome { health.staged(isUnreached: false) }
    conclude(work, outcome)
  }

  mutating func conclude(_ work: WorkItem, _ outcome: ItemProcessor.Outcome) {
    switch outcome {
    case .staged(let item):
      publisher.add(BundlePublisher.Entry(work: work, item: item))
      if work.reason == .new { bound?.add(item.bundle.item) }
    case .unchanged(let revision):
      settle(work, .unchanged(revision: revision))
      queue.refundBudget()
    case .kept(let revision, let reason, let isNew):
      settle(work, .kept(revision: revision, reason: reason, isNew: isNew))
    case .failed(let reason, let isRetryable):
      settle(work, .failed(reason, isRetryable: isRetryable))
    case .stillMissing(let losses):
      settle(work, .stillMissing(losses))
      queue.refundBudget()
    case .unreached(let losses):
      tally.unreached(work, losses.sentence ?? "")
    case .interrupted: isStopping = true
    case .mending: break
    case .storage(let error):
      stop(error)
    }
  }

  mutating func settle(_ work: WorkItem, _ fate: ItemTally.Fate) {
    do throws(StorageError) {
      try tally.settle(work, fate, now: clock.now(), catalog: archive.catalog)
    } catch {
      stop(error)
    }
  }

  mutating func stop(_ error: StorageError) {
    if storageError == nil { storageError = error }
    if error.code != .full { canPublish = false }
    isStopping = true
  }
}
