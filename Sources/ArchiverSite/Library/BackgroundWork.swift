import Dispatch

/// Work on a separate thread, in parallel with the code that started it.
struct BackgroundWork {
  private let group = DispatchGroup()

  init(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "archiver.background").async(group: group, execute: body)
  }

  /// Blocks until the work is done.
  func wait() { group.wait() }
}
