import ArchiverCore

/// Whether runs go into the sandbox, and why not.
enum SandboxState: Sendable, Hashable {
  case on(version: Int)
  /// Why not, as a clause.
  case off(String)

  /// Returns the state for runs of these sources with these arguments.
  ///
  /// What the user's own programs need to write nobody knows, and what they start may be someone
  /// else by right, which the sandbox takes away too: a run that starts any stays outside.
  init(
    _ sources: [SourceConfiguration], _ arguments: ParsedArguments,
    version: Int? = Sandbox.version
  ) {
    self =
      if arguments.has(.noSandbox) {
        .off("--no-sandbox is given")
      } else if let version {
        SandboxState.program(sources, arguments).map { .off($0) } ?? .on(version: version)
      } else {
        .off("this system has no Landlock that can be used")
      }
  }

  var words: String {
    switch self {
    case .on(let version):
      "on: runs change files only in the archive and the temporary folder (Landlock \(version))"
    case .off(let reason): "off: \(reason)"
    }
  }

  private static func program(
    _ sources: [SourceConfiguration], _ arguments: ParsedArguments
  ) -> String? {
    if arguments.has(.notify) { return "--notify starts a program" }
    for source in sources {
      if source.kind.program != nil { return "\(source.name) is a program" }
      for value in source.values.values {
        let texts =
          value.json.string.map { [$0] } ?? value.json.object?.values.map { $0.string ?? "" }
        for text in texts ?? [] {
          if case .command = SecretReference(text).form {
            return "a secret of \(source.name) comes from a command"
          }
        }
      }
    }
    return nil
  }
}

extension Sandbox.Places {
  /// What a run may change: its archive, temporary files, and the files it was told to write.
  init(_ settings: RunSettings, _ invocation: Invocation) {
    let environment = invocation.environment
    let temporary = environment.variables["TMPDIR"].map { [$0] } ?? []
    folders = [settings.archive, "/tmp", "/var/tmp", "/dev"] + temporary
    if let path = invocation.arguments.text(.metrics) {
      // It is written beside and moved into place.
      folders.append(Sandbox.Places.folder(of: environment.expanded(path)))
    }
    if let path = invocation.arguments.text(.logFile) {
      let path = environment.expanded(path)
      // A rule needs a file; one that cannot be opened is told of by the run itself.
      _ = DescriptorOutput(appendingTo: path)
      files.append(path)
    }
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
