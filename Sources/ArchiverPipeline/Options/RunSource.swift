package import ArchiverCore

/// A source in a run.
package struct RunSource: Sendable {
  /// The name of the source; also the directory of its bundles.
  package let name: String
  package let kind: String
  package let properties: AdapterProperties
  package let adapter: any Source
  /// The HTTP client of the adapter's context, also used for the items' images.
  package let client: any HTTPClient
  /// The source's own origin, which is exempt from the limit per host.
  package let origin: Origin?
  /// The maximum number of new or changed items; `nil` uses the run's option.
  package var maxItems: Int?
  /// The number of earlier versions to keep per item; `nil` uses the run's option.
  package var keepVersions: Int?
  /// Which of its items to remove after the run; `nil` keeps all.
  package var retention: RetentionPolicy?
  /// A hash that changes with the credential or the server and reveals neither; `nil` without a
  /// credential.
  package var credentialMark: String?
  /// The secrets in its URLs.
  package var secrets = AddressSecrets()
  /// The maximum size of its bundles in bytes; `nil` for no limit.
  package var maxBytes: Int?
  /// The bytes to keep free on the archive's disk; `nil` for no limit.
  package var minFree: Int?

  package init(
    name: String, kind: String, properties: AdapterProperties, adapter: any Source,
    client: any HTTPClient, origin: Origin?
  ) {
    self.name = name
    self.kind = kind
    self.properties = properties
    self.adapter = adapter
    self.client = client
    self.origin = origin
  }

  /// Makes a source of a built-in kind.
  package init(
    name: String, adapter: any SourceAdapter, client: any HTTPClient, origin: Origin?
  ) {
    let type = type(of: adapter)
    self.init(
      name: name, kind: type.kind, properties: type.properties, adapter: adapter, client: client,
      origin: origin)
  }
}

extension RunSource {
  /// Whether the source itself should deliver the file at a URL.
  func isOwn(_ address: String) -> Bool {
    guard let url = WebURL(address) else { return false }
    return url.origin == origin || properties.ownHosts.contains(url.host)
  }
}
