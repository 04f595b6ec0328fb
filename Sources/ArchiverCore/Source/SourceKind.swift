extension AdapterProperties {
  /// Returns the properties with an environment variable for every setting without one:
  /// `READECK_RANGE_START`.
  fileprivate func withVariables(of kind: String) -> AdapterProperties {
    var properties = self
    properties.settings = settings.map { setting in
      if setting.environment != nil { return setting }
      let words = setting.key.reduce(into: kind.map { $0 == "-" ? "_" : String($0) }.joined() + "_")
      {
        $0 += $1.isUppercase ? "_\($1)" : String($1)
      }
      var named = setting
      named.environment = words.uppercased()
      return named
    }
    return properties
  }
}

/// A kind of source: a built-in adapter, or a program found at run time.
public struct SourceKind: Sendable {
  /// Requests a credential from a server; see `InteractiveLogin`.
  public typealias Login =
    @Sendable (
      _ baseURL: WebURL, _ context: AdapterContext,
      _ prompt: @escaping @Sendable (LoginPrompt) -> Void
    ) async throws -> Secret

  /// Validated settings: how to access the source and how to make it.
  public struct Opening: Sendable {
    /// How to access the source; `nil` if it contacts no server with the host's client.
    public let access: SourceAccess?
    /// Makes the source; throws `AdapterError`.
    public let make: @Sendable (AdapterContext) throws -> any Source

    public init(
      access: SourceAccess?, make: @escaping @Sendable (AdapterContext) throws -> any Source
    ) {
      self.access = access
      self.make = make
    }
  }

  /// The name on the command line, in the configuration and of the directory.
  public let name: String
  public let properties: AdapterProperties
  /// The path of the program; `nil` for a built-in kind.
  public let program: String?
  /// Why it cannot be used, as a sentence; `nil` if it can. An unusable kind has no settings, and
  /// its sources fail.
  public let problem: String?
  /// Requests a credential; `nil` if the kind has no interactive login.
  public let login: Login?
  /// Writes the files for a restore; `nil` if the kind's items cannot be restored.
  public let restorer: (any SourceRestorer)?
  private let prepare: @Sendable (Data) throws -> Opening

  /// Makes a kind from its parts. `prepare` receives the settings as a JSON object.
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

  /// Makes the kind of a built-in adapter.
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

  /// Validates settings, a JSON object with secrets in place. Makes no requests.
  ///
  /// Throws `DecodingError` for a setting of the wrong type, `AdapterError` for an invalid value.
  public func open(settings: Data) throws -> Opening { try prepare(settings) }
}
