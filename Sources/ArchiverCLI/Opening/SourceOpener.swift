import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

/// Makes adapters and their clients from settings. Makes no requests.
struct SourceOpener {
  let services: Services
  let environment: ProcessEnvironment
  let allowedHosts: Set<AddressPolicy.AllowedHost>
  let jobs: Int
  let events: any EventSink
  /// The contact sent with requests.
  let contact: String?

  init(
    _ invocation: Invocation, _ settings: RunSettings, jobs: Int = 1,
    events: any EventSink = SilentEventSink()
  ) throws(UsageError) {
    services = invocation.services
    environment = invocation.environment
    allowedHosts = try settings.allowedHosts()
    self.jobs = jobs
    self.events = events
    contact = settings.file?.contact
  }

  /// Runs a source with these options, without any output.
  func run(
    _ source: SourceConfiguration, _ options: RunOptions, in archive: String
  ) async throws -> RunReport {
    try await services.run(
      Services.RunRequest(
        archive: archive, sources: [try open(source)], options: options, clock: environment.clock),
      SilentEventSink())
  }

  /// Opens a source; throws `UsageError` for invalid settings.
  func open(_ source: SourceConfiguration) throws -> RunSource {
    let opened = try source.open(in: environment)
    let opening = opened.opening
    let keys = opening.access?.secrets ?? []
    let secrets = AddressSecrets(keys + opened.secrets.filter(\.isNoWord))
    let client = client(opening.access)
    let adapter = try make(opening, source.name, client, discreet(events, secrets))
    var run = RunSource(
      name: source.name, kind: source.kind.name, properties: source.kind.properties,
      adapter: adapter.hiding(secrets), client: client, origin: opening.access?.origin)
    // A program may repeat its secrets in content. Only long ones are redacted there: a short
    // password may legitimately occur in a text.
    let told = source.kind.program == nil ? [] : opened.secrets.filter(\.isLong)
    run.secrets = AddressSecrets(keys + told)
    run.credentialMark = opening.access.map { mark($0, opened.secrets) }
    return run
  }

  /// Makes the adapter alone, with a client whose errors hide its secrets; throws `UsageError` for invalid settings.
  func make(_ source: SourceConfiguration) throws -> any Source {
    let opening = try source.open(in: environment).opening
    return try make(opening, source.name, client(opening.access), events)
  }

  private func make(
    _ opening: SourceKind.Opening, _ name: String, _ client: any HTTPClient,
    _ events: any EventSink
  ) throws -> any Source {
    do {
      return try opening.make(
        AdapterContext(name: name, http: client, clock: environment.clock, events: events))
    } catch let error as AdapterError where error.code == .configuration {
      throw UsageError("\(name): \(error.message)")
    }
  }

  /// Returns four digits of a hash: enough to detect a change, too few to guess a password.
  private func mark(_ access: SourceAccess, _ secrets: [Secret]) -> String {
    let text = (["\(access.origin)"] + secrets.map { $0.reveal() }).joined(separator: "\0")
    return String(Digest.sha256Hex(Array(text.utf8)).prefix(4))
  }

  /// Returns a client without credentials, to test whether the sources are reachable.
  func probe(_ sources: [RunSource]) -> any HTTPClient {
    services.client(
      Services.ClientRequest(
        access: nil,
        policy: AddressPolicy(origins: Set(sources.compactMap(\.origin)), hosts: allowedHosts),
        jobs: 1, events: SilentEventSink(), clock: environment.clock, contact: contact))
  }

  /// Returns a client for one source's origin, if it has one, and the allowed hosts.
  func client(_ access: SourceAccess?) -> any HTTPClient {
    let origins = access.map { [$0.origin] } ?? []
    let secrets = AddressSecrets(access?.secrets ?? [])
    let client = services.client(
      Services.ClientRequest(
        access: access, policy: AddressPolicy(origins: Set(origins), hosts: allowedHosts),
        jobs: jobs, events: discreet(events, secrets), clock: environment.clock,
        contact: contact))
    return secrets.isEmpty ? client : RedactingHTTPClient(client, secrets: secrets)
  }

  private func discreet(_ events: any EventSink, _ secrets: AddressSecrets) -> any EventSink {
    secrets.isEmpty ? events : RedactingEventSink(events, secrets: secrets)
  }
}

extension Secret {
  /// Whether the secret differs from every ordinary word: a password that is a word would match
  /// messages that do not quote it.
  var isNoWord: Bool {
    isLong || !reveal().utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
  }

  /// Whether it is too long to occur in a text by chance.
  fileprivate var isLong: Bool { reveal().utf8.count >= 16 }
}
