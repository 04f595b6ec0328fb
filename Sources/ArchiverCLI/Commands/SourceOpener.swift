import ArchiverCore
import ArchiverPipeline

/// Makes adapters and their clients from settings. No requests.
struct SourceOpener {
  let services: Services
  let environment: ProcessEnvironment
  let allowedHosts: Set<AddressPolicy.AllowedHost>
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
      let client = try client(access, of: source.name)
      let context = AdapterContext(
        name: source.name, http: client, clock: environment.clock, events: events)
      let adapter = try Adapter(configuration: configuration, context: context)
      return RunSource(name: source.name, adapter: adapter, client: client, origin: access.origin)
    } catch {
      guard error.code == .configuration else { throw error }
      throw UsageError("\(source.name): \(error.message)")
    }
  }

  /// Returns the client for one source's origin, with these hosts allowed beside it.
  private func client(
    _ access: SourceAccess, of name: String
  ) throws(AdapterError) -> any HTTPClient {
    let policy = AddressPolicy(origins: [access.origin], hosts: allowedHosts)
    do {
      return try services.client(access, policy, events, environment.clock)
    } catch {
      throw AdapterError(
        .configuration, "no connection can be set up: \(String(describing: error))",
        underlying: error)
    }
  }
}
