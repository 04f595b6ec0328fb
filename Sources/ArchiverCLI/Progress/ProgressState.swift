import ArchiverCore

/// The state of a live display, derived from events.
struct ProgressState: Sendable {
  struct Item: Sendable, Hashable {
    let id: String
    let title: String
    let started: Date
    /// The received bytes of the file in flight; `nil` if there is none.
    var received: Int?
    var total: Int?
  }

  struct Source: Sendable {
    let name: String
    var listed = 0
    var total: Int?
    var plan: PlanSummary?
    var done = 0
    var failed = 0
    var images = 0
    var imagesMissing = 0
    var bytes = 0
    /// The number of bytes received, including those of files in flight.
    var bytesSoFar: Int { bytes + current.reduce(0) { $0 + ($1.received ?? 0) } }
    /// The items in progress, oldest first.
    var current: [Item] = []
    /// The time at which its first item was started.
    var started: Date?
    var isFinished = false
  }

  /// The sources, in the order of their first event.
  private(set) var sources: [Source] = []
  /// Samples of the total number of received bytes, over the last `window` seconds.
  private var samples: [(date: Date, bytes: Int)] = []
  private var received: Int { sources.reduce(0) { $0 + $1.bytesSoFar } }

  /// The period in seconds over which the rate is computed.
  private static let window = 5.0

  mutating func add(_ event: Event, at now: Date) {
    switch event {
    case .listed(let name, let count, let total):
      change(name) {
        $0.listed = count
        $0.total = total
      }
    case .planned(let name, let plan): change(name) { $0.plan = plan }
    case .itemStarted(let name, let id, let title):
      change(name) {
        $0.started = $0.started ?? now
        $0.current.append(Item(id: id, title: title, started: now))
      }
    case .itemFinished(let name, let id, _, let outcome):
      change(name) {
        $0.current.removeAll { $0.id == id }
        $0.done += 1
        if case .failed = outcome { $0.failed += 1 }
      }
    case .assetFinished(let name, _, let count, let failure):
      change(name) {
        $0.bytes += count
        if failure == nil { $0.images += 1 } else { $0.imagesMissing += 1 }
      }
      addSample(at: now)
    case .sourceFinished(let name, _):
      change(name) {
        $0.isFinished = true
        $0.current = []
      }
    case .downloading(let name, let id, let received, let total):
      change(name) { source in
        guard let index = source.current.firstIndex(where: { $0.id == id }) else { return }
        source.current[index].received = received
        source.current[index].total = total
      }
      addSample(at: now)
    case .log, .retrying: break
    }
  }

  /// Returns the number of bytes per second over the last `window` seconds; `nil` if there is not enough data yet.
  func rate(at now: Date) -> Double? {
    guard let first = samples.first(where: { now.timeIntervalSince($0.date) <= Self.window }) else {
      return nil
    }
    let seconds = now.timeIntervalSince(first.date)
    return seconds >= 0.5 ? Double(max(0, received - first.bytes)) / seconds : nil
  }

  /// Returns the time that the rest of a source's items will take at the present pace; `nil` if it
  /// is too early to tell.
  func timeLeft(of source: Source, at now: Date) -> Duration? {
    guard let started = source.started, let selected = source.plan?.selected, source.done >= 3,
      !source.isFinished, selected > source.done
    else { return nil }
    let elapsed = now.timeIntervalSince(started)
    guard elapsed >= 1 else { return nil }
    return .seconds(elapsed / Double(source.done) * Double(selected - source.done))
  }

  private mutating func change(_ name: String, _ change: (inout Source) -> Void) {
    let index = sources.firstIndex { $0.name == name }
    if index == nil { sources.append(Source(name: name)) }
    change(&sources[index ?? sources.count - 1])
  }

  private mutating func addSample(at now: Date) {
    // The display is not updated more often; this also bounds the list.
    if let last = samples.last, now.timeIntervalSince(last.date) < 0.1 { return }
    samples.removeAll { now.timeIntervalSince($0.date) > Self.window }
    samples.append((now, received))
  }
}
