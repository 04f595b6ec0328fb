import ArchiverCore
import ArchiverStorage
import Synchronization

extension Sandbox {
  /// Enters the sandbox as the command requires, re-executing the program if necessary.
  ///
  /// A no-op inside the sandbox, and if it must not be entered (`SandboxState`). Invalid settings
  /// are reported afterwards by the command, which continues with the returned invocation.
  static func enter(_ invocation: Invocation) -> Invocation {
    let arguments = invocation.arguments
    guard let confinement = invocation.command.confinement, let use = confinement.use(arguments),
      let confine = invocation.services.confine, !isEntered(invocation.environment.variables)
    else { return invocation }
    var invocation = invocation
    let known = KnownPrograms(invocation.services.programs)
    invocation.services.programs = { known.kinds($0) }
    let isAsking = confinement.asksSources && confinement.isAsking(arguments)
    let programs = isAsking ? RunSettings.Programs.described : .named
    guard let settings = try? RunSettings(invocation, programs: programs),
      let sources = try? confinement.sources(settings, arguments),
      case .on = SandboxState(
        sources, arguments, publish: settings.publishAfterRun(invocation))
    else { return invocation }
    let archives = invocation.services.knownArchives?(invocation.environment)
    if use == .write, !arguments.has(.newArchive), archives?.isLost(settings.archive) == true {
      return invocation
    }
    if use == .write { archives?.makeFolder() }
    // A rule needs an existing directory. If it cannot be created, opening the archive reports why.
    if use == .write { try? FolderPath.make(settings.archive) }
    guard use != .write || access(settings.archive, F_OK) == 0 else { return invocation }
    var places = Places(settings, invocation)
    if use == .write, let archives { places.folders.append(archives.folder) }
    if use == .leave { places.folders.removeAll { $0 == settings.archive } }
    confine(places)
    return invocation
  }
}

/// Runs the self-descriptions of programs once for the sandbox and the command that follows. Later
/// calls, as by every iteration of `watch`, run them again.
private final class KnownPrograms: Sendable {
  private enum State {
    case unasked, said([SourceKind]), taken
  }

  private let ask: @Sendable (ProcessEnvironment) -> [SourceKind]
  private let state = Mutex(State.unasked)

  init(_ ask: @escaping @Sendable (ProcessEnvironment) -> [SourceKind]) { self.ask = ask }

  func kinds(_ environment: ProcessEnvironment) -> [SourceKind] {
    state.withLock { state in
      if case .said(let kinds) = state {
        state = .taken
        return kinds
      }
      let kinds = ask(environment)
      if case .unasked = state { state = .said(kinds) }
      return kinds
    }
  }
}
