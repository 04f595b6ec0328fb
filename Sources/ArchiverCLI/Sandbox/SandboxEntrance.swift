import ArchiverCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Sandbox {
  /// What a command does with the archive.
  enum Use {
    /// Writes it, and makes it when there is none.
    case write
    /// Writes it when there is one.
    case change
    /// Leaves it alone: nothing but temporary files may change.
    case none
  }

  /// Begins the program anew without the right to change files elsewhere, before a command lets in
  /// what strangers wrote.
  ///
  /// Returns when it is inside already, or when it has to stay outside (`SandboxState`). What is
  /// wrong with the settings is told afterwards, by the command.
  static func enter(
    _ invocation: Invocation, to use: Use,
    for sources: (RunSettings) throws -> [SourceConfiguration]
  ) {
    guard let confine = invocation.services.confine,
      !isEntered(invocation.environment.variables),
      let settings = try? RunSettings(invocation), let sources = try? sources(settings),
      case .on = SandboxState(sources, invocation.arguments)
    else { return }
    // A rule needs a folder. What cannot be made is left to the archive to explain.
    if use == .write {
      try? FileManager.default.createDirectory(
        atPath: settings.archive, withIntermediateDirectories: true)
    }
    guard use != .write || access(settings.archive, F_OK) == 0 else { return }
    var places = Places(settings, invocation)
    if use == .none { places.folders.removeAll { $0 == settings.archive } }
    confine(places)
  }
}
