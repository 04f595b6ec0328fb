import ArchiverCore
import ArchiverStorage
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How a command enters the sandbox before it does anything.
///
/// Every command does so that reads untrusted content, or contacts a source or the hosts of images.
/// The others stay outside because they start programs of the system or the desktop, or because
/// they print only catalog and settings.
struct Confinement: Sendable {
  /// The access of a command to the archive.
  enum Use: Sendable {
    /// Writes it, creating it if necessary.
    case write
    /// Writes it if it exists.
    case change
    /// Does not write it: only temporary files may change.
    case leave
  }

  /// Whether the command contacts sources; one that does not starts no program of the user's.
  let asksSources: Bool
  /// Returns the access of an invocation to the archive; `nil` if it is not sandboxed.
  let use: @Sendable (ParsedArguments) -> Use?
  /// The sources that it contacts.
  let sources: @Sendable (RunSettings, ParsedArguments) throws -> [SourceConfiguration]
  /// Options that name output files; these are written beside their paths and then renamed.
  let outputs: [Option]
  /// Whether an invocation contacts sources, if the command may.
  var isAsking: @Sendable (ParsedArguments) -> Bool = { _ in true }
  /// The only action of the command that is sandboxed; `nil` if all are.
  var action: String?

  /// A command that contacts these sources.
  static func asking(
    _ use: @escaping @Sendable (ParsedArguments) -> Use?,
    _ sources:
      @escaping @Sendable (RunSettings, ParsedArguments) throws -> [SourceConfiguration]
  ) -> Confinement {
    Confinement(asksSources: true, use: use, sources: sources, outputs: [])
  }

  /// A command that reads and writes the archive, and possibly files named by these options.
  static func archive(outputs: [Option] = []) -> Confinement {
    Confinement(
      asksSources: false, use: { _ in .change }, sources: { _, _ in [] }, outputs: outputs)
  }
}

extension Sandbox {
  /// Enters the sandbox as the command requires, re-executing the program if necessary.
  ///
  /// A no-op inside the sandbox, and if it must not be entered (`SandboxState`). Invalid settings
  /// are reported afterwards, by the command, which continues with what is returned.
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
