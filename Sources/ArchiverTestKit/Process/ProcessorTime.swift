import ArchiverCore

/// Returns the CPU time that `work` takes on this thread. Other threads and processes do not count, so a
/// limit for it holds on a busy machine too.
package func processorTime(_ work: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = now()
  try work()
  return now() - start
}
