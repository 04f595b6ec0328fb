import ArchiverCore
import ArchiverPipeline

/// Makes adapters and their clients from settings. No requests.
struct SourceOpener {
  let services: Services
  let environment: ProcessEnvironment
  let allowedHosts: Set<AddressPolicy.AllowedHost>
  let jobs: Int
  let events: any EventSink

  /// Opens a source; throws `UsageError` for settings that cannot be used.
  func open(_ source: SourceConfiguration) throws -> RunSource {
    let opening = try source.open(in: environment)
    let client = client(opening.access)
    let secrets = AddressSecrets(opening.access?.secrets ?? [])
    let context = AdapterContext(
      name: source.name, http: client, clock: environment.clock,
      events: discreet(events, secrets))
    do {
      var run = RunSource(
        name: source.name, kind: source.kind.name, properties: source.kind.properties,
        adapter: try opening.make(context), client: client, origin: opening.access?.origin)
      run.secrets = secrets
      return run
    } catch let error as AdapterError where error.code == .configuration {
      throw UsageError("\(source.name): \(error.message)")
    }
  }

  /// Returns a client to find out with whether the sources can be reached, without credentials.
  func probe(_ sources: [RunSource]) -> any HTTPClient {
    services.client(
      Services.ClientRequest(
        access: nil,
        policy: AddressPolicy(origins: Set(sources.compactMap(\.origin)), hosts: allowedHosts),
        jobs: 1, events: SilentEventSink(), clock: environment.clock))
  }

  /// Returns the client for one source's origin, if it has one, with the allowed hosts beside it.
  func client(_ access: SourceAccess?) -> any HTTPClient {
    let origins = access.map { [$0.origin] } ?? []
    let secrets = AddressSecrets(access?.secrets ?? [])
    let client = services.client(
      Services.ClientRequest(
        access: access, policy: AddressPolicy(origins: Set(origins), hosts: allowedHosts),
        jobs: jobs, events: discreet(events, secrets), clock: environment.clock))
    return secrets.isEmpty ? client : DiscreetHTTPClient(client, secrets: secrets)
  }

  private func discreet(_ events: any EventSink, _ secrets: AddressSecrets) -> any EventSink {
    secrets.isEmpty ? events : DiscreetEventSink(events, secrets: secrets)
  }
}
