import Dispatch

/// Work in a thread of its own beside the code that began it.
struct BackgroundWork {
  private let group = DispatchGroup()

  init(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue(label: "archiver.background").async(group: group, execute: body)
  }

  /// Waits until it is done.
  func wait() { group.wait() }
}
