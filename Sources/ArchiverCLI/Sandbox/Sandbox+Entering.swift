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
    // The command that follows takes the descriptions of programs that are read here; later calls, as by every
    // iteration of `watch`, run the programs again.
    let programs = invocation.services.programs
    let described = Mutex<[SourceKind]?>(nil)
    var asking = invocation
    asking.services.programs = { environment in
      let kinds = programs(environment)
      described.withLock { $0 = kinds }
      return kinds
    }
    var invocation = invocation
    invocation.services.programs = { environment in
      described.withLock { $0.take() } ?? programs(environment)
    }
    let isAsking = confinement.asksSources && confinement.isAsking(arguments)
    guard let settings = try? RunSettings(asking, programs: isAsking ? .described : .named),
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
