import ArchiverCore

/// Environment variables for sources only, which other children of a run do not inherit.
struct PrivateVariables: Sendable {
  private let names: Set<String>
  /// The prefixes of variables that sources of a kind may read, such as `READECK_`.
  private let beginnings: [String]

  /// Collects those of every kind of source, those that the configuration file names as `env:NAME`,
  /// and the URL to ping.
  ///
  /// - Parameter invocation: The run.
  init(_ invocation: Invocation) {
    let environment = invocation.environment
    let programs = invocation.services.namedPrograms?(environment) ?? []
    let kinds = invocation.services.kinds + programs
    var names = Set(kinds.flatMap { $0.properties.settings.compactMap(\.environment) })
    names.formUnion(PublishOpener.variables.map(\.name).filter { $0.hasPrefix("ARCHIVER_") })
    let ping = invocation.command.option(named: Option.pingURL.name)
    if let variable = ping?.environment { names.insert(variable) }
    // A missing or unreadable file names none.
    let data = FileManager.default.contents(atPath: invocation.configurationPath)
    let file = String(decoding: data ?? Data(), as: UTF8.self)
    for part in file.split(separator: "env:").dropFirst() {
      names.insert(String(part.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }))
    }
    self.names = names
    beginnings = kinds.map { kind in
      kind.name.map { $0.isLetter || $0.isNumber ? $0.uppercased() : "_" }.joined() + "_"
    }
  }

  /// Whether a variable is for sources only.
  ///
  /// - Parameter name: The variable's name.
  func contains(_ name: String) -> Bool {
    names.contains(name) || beginnings.contains { name.hasPrefix($0) }
  }
}
