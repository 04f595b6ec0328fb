/// The signal SIGHUP, which the closing of a terminal sends.
package enum HangUp {
  /// Whether the process was started with SIGHUP ignored, as by nohup(1). Must be read before the process
  /// changes what SIGHUP does.
  package static let wasIgnored: Bool = {
    var action = sigaction()
    guard sigaction(SIGHUP, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }()
}
