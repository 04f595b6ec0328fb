extension AdapterProperties {
  /// Returns them with a variable for every setting that names none: `READECK_RANGE_START`.
  fileprivate func withVariables(of kind: String) -> AdapterProperties {
    var properties = self
    properties.settings = settings.map { setting in
      if setting.environment != nil { return setting }
      let words = setting.key.reduce(into: kind.map { $0 == "-" ? "_" : String($0) }.joined() + "_")
      {
        $0 += $1.isUppercase ? "_\($1)" : String($1)
      }
      return AdapterSetting(
        setting.key, setting.value, environment: words.uppercased(), option: setting.option,
        isRequired: setting.isRequired, defaultValue: setting.defaultValue, help: setting.help,
        example: setting.example)
    }
    return properties
  }
}

/// A kind of source as the host knows it: an adapter that is built in, or a program found at run
/// time.
public struct SourceKind: Sendable {
  /// Asks a server for a credential; see `InteractiveLogin`.
  public typealias Login =
    @Sendable (
      _ baseURL: WebURL, _ context: AdapterContext,
      _ prompt: @escaping @Sendable (LoginPrompt) -> Void
    ) async throws -> Secret

  /// What settings amount to: how the source is reached and how it is made.
  public struct Opening: Sendable {
    /// `nil` for a source that asks nothing of a server of its own over the host's client.
    public let access: SourceAccess?
    /// Throws `AdapterError`.
    public let make: @Sendable (AdapterContext) throws -> any Source

    public init(
      access: SourceAccess?, make: @escaping @Sendable (AdapterContext) throws -> any Source
    ) {
      self.access = access
      self.make = make
    }
  }

  /// The name on the command line, in the configuration and as the folder.
  public let name: String
  public let properties: AdapterProperties
  /// The path of the program that does the work; `nil` for a kind that is built in.
  public let program: String?
  /// Why it cannot be used, as a sentence; such a kind has no settings and its sources fail. `nil`
  /// when it can.
  public let problem: String?
  /// `nil` when the kind has no such login.
  public let login: Login?
  /// `nil` when its items cannot be put back.
  public let restorer: (any SourceRestorer)?
  private let prepare: @Sendable (Data) throws -> Opening

  /// Makes a kind from its parts. `prepare` gets the settings as a JSON object.
  public init(
    name: String, properties: AdapterProperties, program: String? = nil, problem: String? = nil,
    login: Login? = nil, restorer: (any SourceRestorer)? = nil,
    prepare: @escaping @Sendable (Data) throws -> Opening
  ) {
    self.name = name
    self.properties = properties.withVariables(of: name)
    self.program = program
    self.problem = problem
    self.login = login
    self.restorer = restorer
    self.prepare = prepare
  }

  /// Makes the kind of an adapter that is built in.
  public init<Adapter: SourceAdapter>(_ type: Adapter.Type) {
    var login: Login?
    if let interactive = type as? any InteractiveLogin.Type {
      login = { try await interactive.logIn(baseURL: $0, context: $1, prompt: $2) }
    }
    let restorer = (type as? any RestorableSource.Type)?.restorer
    self.init(
      name: type.kind, properties: type.properties, login: login, restorer: restorer
    ) { settings in
      let configuration = try JSONDecoder().decode(Adapter.Configuration.self, from: settings)
      return Opening(access: try Adapter.access(configuration)) { context in
        try Adapter(configuration: configuration, context: context)
      }
    }
  }

  /// Checks settings, a JSON object with secrets in place. No requests.
  ///
  /// Throws `DecodingError` for a setting of the wrong shape, `AdapterError` for one that cannot
  /// work.
  public func open(settings: Data) throws -> Opening { try prepare(settings) }
}
