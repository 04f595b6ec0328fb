import ArchiverCore
import Dispatch
import Synchronization

/// Handles SIGINT, SIGTERM and, when a terminal is closed, SIGHUP: the first cancels, the second ends the
/// process at once. A SIGHUP that nohup(1) has the process ignore stays ignored.
package final class Interruption {
  /// The grace period after the first signal.
  private static let patience = DispatchTimeInterval.milliseconds(1900)

  /// A serial queue gets a thread even if all threads of the global queue, one per core, are busy
  /// for seconds.
  private static let queue = DispatchQueue(label: "archiver.interruption", qos: .userInitiated)
  private static let wasSignalled = Atomic(false)

  private let sources: [any DispatchSourceSignal]

  /// Calls `cancel` on the first signal; ignores SIGPIPE, as writes report EPIPE anyway.
  ///
  /// After the grace period the process is ended anyway: the state on disk is consistent at any
  /// time. Active as long as the value lives.
  package init(_ cancel: @escaping @Sendable () -> Void) {
    signal(SIGPIPE, SIG_IGN)
    let signals = HangUp.wasIgnored ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    sources = signals.map { number in
      // The default action would end the process before the dispatch source is notified.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: Interruption.queue)
      source.setEventHandler { @Sendable in Interruption.arrived(cancel) }
      source.resume()
      return source
    }
  }

  private static func arrived(_ cancel: () -> Void) {
    if wasSignalled.exchange(true, ordering: .relaxed) { _exit(ExitCode.interrupted.rawValue) }
    cancel()
    queue.asyncAfter(deadline: .now() + patience) { @Sendable in
      _exit(ExitCode.interrupted.rawValue)
    }
  }
}
