import ArchiverCore

/// Combines the layers of every source's settings: default, file, stored login, environment,
/// command line.
struct SourceResolver: Sendable {
  let kinds: [SourceKind]
  let file: ConfigurationFile?
  let environment: ProcessEnvironment
  /// The options of `archiver run`, for the strongest layer.
  let arguments: ParsedArguments

  /// The sources, and warnings about them.
  struct Outcome: Sendable {
    /// The sources of the file, and one of each kind that the file lacks, in the registry's order.
    var sources: [SourceConfiguration] = []
    var warnings: [String] = []
  }

  func resolve() throws(UsageError) -> Outcome {
    var outcome = Outcome()
    if let file, file.isChangeable {
      let path = environment.abbreviated(file.path)
      outcome.warnings.append(
        "\(path) is world-writable: other users could redirect tokens and run commands; run: "
          + "chmod o-w \(path)")
    }
    if let file, file.isOpenToOthers, file.publish?.holdsLiteral == true {
      let path = environment.abbreviated(file.path)
      outcome.warnings.append(
        "\(path) holds the keys of publish and others can read or change it; run: chmod 600 \(path)"
      )
    }
    for kind in kinds {
      let entries = file?.sources.filter { $0.kind.name == kind.name } ?? []
      if entries.isEmpty {
        outcome.sources.append(try source(kind.name, kind, nil, isMain: true, &outcome.warnings))
      }
      for entry in entries {
        let isMain = entry.name == kind.name || entries.count == 1
        outcome.sources.append(
          try source(entry.name, kind, entry, isMain: isMain, &outcome.warnings))
      }
    }
    for entry in file?.sources ?? [] where !kinds.contains(where: { $0.name == entry.kind.name }) {
      outcome.sources.append(
        try source(entry.name, entry.kind, entry, isMain: true, &outcome.warnings))
    }
    return outcome
  }

  private func source(
    _ name: String, _ kind: SourceKind, _ entry: ConfigurationFile.Source?,
    isMain: Bool, _ warnings: inout [String]
  ) throws(UsageError) -> SourceConfiguration {
    var source = SourceConfiguration(name: name, kind: kind)
    try addDefaults(to: &source)
    if let file, let entry { addFile(file, entry, to: &source, &warnings) }
    let login = try StoredLogin.load(name, in: environment)
    // The URL decides whether the login may be used, so the stronger layers are read first.
    if isMain { try addEnvironment(to: &source) }
    try addOptions(to: &source)
    if let login { add(login, to: &source, &warnings) }
    return source
  }

  private func addDefaults(to source: inout SourceConfiguration) throws(UsageError) {
    for setting in source.settings {
      guard let text = setting.defaultValue else { continue }
      if case .success(let json) = setting.parse(text) {
        source.set(setting.key, json, from: .standard)
      }
    }
  }

  private func addFile(
    _ file: ConfigurationFile, _ entry: ConfigurationFile.Source,
    to source: inout SourceConfiguration, _ warnings: inout [String]
  ) {
    for (key, json) in entry.settings {
      source.set(key, json, from: .file(environment.abbreviated(file.path)))
    }
    let literals = source.settings.filter { setting in
      let texts = setting.isSecret ? entry.settings[setting.key]?.texts : nil
      return texts?.contains { SecretReference($0).form == .literal } == true
    }
    if file.isOpenToOthers, let setting = literals.first {
      let path = environment.abbreviated(file.path)
      warnings.append(
        "\(path) holds the \(setting.key) of \(source.name) and others can read or change it; "
          + "run: chmod 600 \(path)")
    }
  }

  private func addEnvironment(to source: inout SourceConfiguration) throws(UsageError) {
    for setting in source.settings {
      guard let name = setting.environment else { continue }
      guard let text = environment.variables[name], !text.isEmpty else {
        // systemd passes secrets to a service as files with the variables' names.
        if setting.value == .secret, environment.credential(name) != nil {
          source.set(setting.key, .string("credential:\(name)"), from: .environment(name))
        }
        continue
      }
      switch setting.parse(text) {
      case .success(let json): source.set(setting.key, json, from: .environment(name))
      case .failure(let expected):
        // A URL may contain a password, whatever its setting.
        let isPrivate = setting.isSecret || text.contains("@")
        let shown = isPrivate ? "" : ", not '\(DisplayText.line(text))'"
        throw UsageError("\(name) takes \(expected.words)\(shown)")
      }
    }
  }

  private func addOptions(to source: inout SourceConfiguration) throws(UsageError) {
    for setting in source.settings {
      guard let option = setting.commandOption(group: ""), arguments.has(option) else { continue }
      source.set(setting.key, json(setting, option), from: .option(option.flag))
    }
  }

  private func json(_ setting: AdapterSetting, _ option: Option) -> JSONValue {
    switch setting.value {
    case .flag: .bool(setting.defaultValue != "true")
    case .list: .array(arguments.texts(option).map { .string($0) })
    case .integer: .integer(arguments.integer(option) ?? 0)
    case .number: .number(arguments.number(option) ?? 0)
    case .text, .url, .secret, .choice, .headers: .string(arguments.text(option) ?? "")
    }
  }

  /// Adds a stored login, unless another layer names another server: the token is not meant for it.
  private func add(
    _ login: StoredLogin, to source: inout SourceConfiguration,
    _ warnings: inout [String]
  ) {
    let origin = SettingOrigin.login(
      environment.abbreviated(StoredLogin.path(of: source.name, in: environment)))
    guard let keys = LoginKeys(source.kind) else { return }
    if let other = source.values[keys.url].flatMap({ $0.json.string }).flatMap({ WebURL($0) }),
      other.origin != login.url.origin
    {
      let token = source.values[keys.token]
      if token == nil {
        warnings.append(
          "the stored login of \(source.name) is for \(login.url.origin), not for "
            + "\(other.origin), and is not used; run 'archiver login \(source.name)'")
      }
      return
    }
    for (key, text) in [(keys.url, login.url.absoluteString), (keys.token, login.token.reveal())] {
      switch source.values[key]?.origin {
      case .environment, .option: continue
      case .standard, .file, .login, nil: source.set(key, .string(text), from: origin)
      }
    }
  }
}

/// The settings that a login fills in: the first URL and the first secret of a kind.
struct LoginKeys: Sendable, Hashable {
  let url: String
  let token: String

  /// `nil` if the kind has no such settings.
  init?(_ kind: SourceKind) {
    let settings = kind.properties.settings
    guard let url = settings.first(where: { $0.value == .url }),
      let token = settings.first(where: { $0.value == .secret })
    else { return nil }
    self.url = url.key
    self.token = token.key
  }
}
