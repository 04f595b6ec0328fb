import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What SIGINT and SIGTERM do: the first cancels, the second ends the process at once.
package final class Interruption {
  /// How long the work may take to end after the first signal.
  private static let patience = DispatchTimeInterval.milliseconds(1900)

  /// A serial queue of our own gets a thread also when all of the global queue's, one for each
  /// processor, are at work for seconds.
  private static let queue = DispatchQueue(label: "archiver.interruption", qos: .userInitiated)
  private static let wasSignalled = Atomic(false)

  private let sources: [any DispatchSourceSignal]

  /// Calls `cancel` on the first signal; ignores SIGPIPE, as writes report EPIPE anyway.
  ///
  /// When the work has not ended soon after, the process is ended without it: what is on disk is
  /// whole at any moment. Works as long as the value lives.
  package init(_ cancel: @escaping @Sendable () -> Void) {
    signal(SIGPIPE, SIG_IGN)
    sources = [SIGINT, SIGTERM].map { number in
      // The default action would end the process before the source hears of it.
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
