import ArchiverCore

/// The end of the program.
package enum ProcessEnd {
  /// Installs handlers so that a crash prints one line, unless the environment requests the
  /// runtime's own report. A process that reports its own crash ends by the signal if it crashes
  /// again.
  package static func tellCrashes() {
    let variables = ProcessInfo.processInfo.environment
    if variables["SWIFT_BACKTRACE"] == nil, !CrashMark.isReporting(variables) {
      CrashMark.install()
    }
  }

  /// Ends the process with an exit code, skipping exit handlers of libraries.
  ///
  /// Exit handlers destroy what other threads still use: a run that ends early, because its archive
  /// cannot be opened, has a thread that is initialising libcurl, and OpenSSL's handler could crash
  /// meanwhile. All data are on disk by now.
  package static func leave(_ code: Int32) -> Never {
    fflush(nil)
    _exit(code)
  }
}
