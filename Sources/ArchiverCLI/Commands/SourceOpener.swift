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
    try open(source, as: source.kind)
  }

  private func open<Adapter: SourceAdapter>(
    _ source: SourceConfiguration, as type: Adapter.Type
  ) throws -> RunSource {
    let configuration = try source.decode(Adapter.Configuration.self, in: environment)
    do throws(AdapterError) {
      let access = try Adapter.access(configuration)
      let client = client(access)
      let context = AdapterContext(
        name: source.name, http: client, clock: environment.clock, events: events)
      let adapter = try Adapter(configuration: configuration, context: context)
      return RunSource(name: source.name, adapter: adapter, client: client, origin: access.origin)
    } catch {
      guard error.code == .configuration else { throw error }
      throw UsageError("\(source.name): \(error.message)")
    }
  }

  /// Returns the client for one source's origin, with the allowed hosts beside it.
  func client(_ access: SourceAccess) -> any HTTPClient {
    services.client(
      Services.ClientRequest(
        access: access, policy: AddressPolicy(origins: [access.origin], hosts: allowedHosts),
        jobs: jobs, events: events, clock: environment.clock))
  }
}
