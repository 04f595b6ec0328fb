import ArchiverCore

/// Whether commands are sandboxed, and why not.
enum SandboxState: Sendable, Hashable {
  case on(version: Int)
  /// A clause with the reason, and the name of the source in it.
  case off(Phrase, of: String = "")

  /// Returns the state for runs of these sources with these arguments.
  ///
  /// A run that starts any of the user's programs is not sandboxed: the files that they write are
  /// unknown, and the sandbox would disable set-user-ID programs that they start.
  init(
    _ sources: [SourceConfiguration], _ arguments: ParsedArguments,
    publish: PublishSettings? = nil, version: Int? = Sandbox.version
  ) {
    self =
      if arguments.has(.noSandbox) {
        .off(.sandboxDeclined)
      } else if let version {
        SandboxState.program(sources, arguments)
          ?? (publish?.startsProgram == true
            ? .off(.sandboxSecret, of: "publish") : .on(version: version))
      } else {
        .off(.sandboxMissing)
      }
  }

  /// Returns the line of `status -v`: which commands of the table are sandboxed.
  func text(of root: Command, in wording: Wording) -> String {
    let names = SandboxState.commands(of: root)
    let inside = names.map(\.name).joined(separator: ", ")
    switch self {
    case .on(let version): return wording.text(.sandboxOn, String(version), inside)
    case .off(let reason, let source):
      let words = wording.text(reason, source)
      if reason == .sandboxDeclined || reason == .sandboxMissing {
        return wording.text(.sandboxOff, words)
      }
      let rest = names.filter { !$0.asksSources }.map(\.name).joined(separator: ", ")
      return wording.text(.sandboxPartly, words, rest)
    }
  }

  /// Returns the sandboxed commands, in the order of the table.
  static func commands(of root: Command) -> [(name: String, asksSources: Bool)] {
    root.subcommands.compactMap { command in
      command.confinement.map { confinement in
        (
          [command.name, confinement.action].compactMap { $0 }.joined(separator: " "),
          confinement.asksSources
        )
      }
    }
  }

  private static func program(
    _ sources: [SourceConfiguration], _ arguments: ParsedArguments
  ) -> SandboxState? {
    if arguments.has(.notify) { return .off(.sandboxNotify) }
    for source in sources {
      if source.kind.program != nil { return .off(.sandboxProgram, of: source.name) }
      let texts = source.values.values.flatMap(\.json.texts)
      if texts.contains(where: { SecretReference($0).isCommand }) {
        return .off(.sandboxSecret, of: source.name)
      }
    }
    return nil
  }
}

extension Sandbox.Places {
  /// The files that a command may change: its archive, temporary files, and the files named by
  /// options.
  init(_ settings: RunSettings, _ invocation: Invocation) {
    let environment = invocation.environment
    let temporary = environment.variables["TMPDIR"].map { [$0] } ?? []
    folders = [settings.archive, "/tmp", "/var/tmp", "/dev"] + temporary
    if let publish = settings.publishAfterRun(invocation),
      case .folder(let path) = PublishPlace(publish.target)
    {
      folders.append(Sandbox.Places.folder(of: path + "/"))
    }
    // Output files are written beside their paths and renamed.
    for option in [.metrics] + (invocation.command.confinement?.outputs ?? []) {
      guard let path = invocation.arguments.text(option) else { continue }
      let place = environment.expanded(path)
      folders += [place, AtomicFile.target(of: place)].map(Sandbox.Places.folder)
    }
    if invocation.command.confinement?.writesToOperand == true {
      folders += invocation.arguments.operands.prefix(1).map(environment.expanded)
    }
    if let path = invocation.arguments.text(.logFile) {
      let path = environment.expanded(path)
      // A rule needs an existing file; the run itself reports one that cannot be opened.
      _ = DescriptorOutput(appendingTo: path)
      files.append(path)
    }
  }

  /// Returns the nearest existing directory of a path to be created.
  private static func folder(of path: String) -> String {
    var path = path[...]
    repeat {
      while path.count > 1, path.last == "/" { path.removeLast() }
      guard let slash = path.lastIndex(of: "/") else { return "." }
      path = slash == path.startIndex ? "/" : path[..<slash]
    } while path != "/" && !FileManager.default.fileExists(atPath: String(path))
    return String(path)
  }
}
