import ArchiverCore
import ArchiverExport
import ArchiverStorage
import ArchiverTransport

/// Opens the target of a publication, by settings, environment and credentials. Makes no requests.
struct PublishOpener {
  let settings: PublishSettings
  let archive: String
  let environment: ProcessEnvironment
  let services: Services
  let events: any EventSink
  /// Whether nothing will be sent.
  let isPreview: Bool

  /// The environment variables for publishing: credentials, and defaults of region and endpoint.
  static let variables: [(name: String, help: String)] = [
    ("ARCHIVER_PUBLISH_ACCESS_KEY", "The access key of the storage to publish to."),
    ("ARCHIVER_PUBLISH_SECRET_KEY", "The secret key of the storage to publish to."),
    ("ARCHIVER_PUBLISH_SESSION_TOKEN", "The token of temporary keys of that storage."),
    (
      "AWS_ACCESS_KEY_ID",
      "The same three as Amazon's programs read them, with AWS_SECRET_ACCESS_KEY and "
        + "AWS_SESSION_TOKEN; weaker than the file."
    ),
    ("AWS_REGION", "The region of the bucket, unless an option or the file names it."),
    ("AWS_ENDPOINT_URL_S3", "The address of the storage, unless an option or the file names it."),
  ]

  /// Opens the target; throws `UsageError` for invalid settings.
  func open() throws -> any PublishTarget {
    switch PublishPlace(settings.target) {
    case .folder(let path):
      let place = AtomicFile.target(of: path)
      let root = AtomicFile.target(of: archive)
      guard place != root, !place.hasPrefix(root + "/"), !root.hasPrefix(place + "/") else {
        throw UsageError("one of the archive and \(path) is inside the other")
      }
      return FolderTarget(root: root, target: path)
    case .bucket(let name, let prefix): return try bucket(name, prefix)
    case nil: throw UsageError("the target to publish to takes \(PublishPlace.forms)")
    }
  }

  private func bucket(_ name: String, _ prefix: String) throws -> S3Target {
    let region =
      settings.region ?? variable("AWS_REGION") ?? variable("AWS_DEFAULT_REGION") ?? "us-east-1"
    let endpoint = try settings.endpoint ?? standardEndpoint()
    guard
      let location = S3Location(
        endpoint: endpoint, bucket: name, prefix: prefix, region: region)
    else {
      throw UsageError(
        "\(DisplayText.line(settings.target)) with the region '\(DisplayText.line(region))' is no "
          + "bucket; the endpoint is an address without '?'")
    }
    try checkEncryption(location.endpoint)
    let credentials = try credentials()
    let access = SourceAccess(baseURL: location.endpoint)
    let client = services.client(
      Services.ClientRequest(
        access: access, policy: AddressPolicy(origins: [location.endpoint.origin]), jobs: 8,
        events: events, clock: environment.clock))
    return S3Target(
      root: AtomicFile.target(of: archive), location: location, credentials: credentials,
      http: client, journal: try journal(location), clock: environment.clock, holder: holder,
      isPreview: isPreview)
  }

  private func variable(_ name: String) -> String? {
    environment.variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func standardEndpoint() throws(UsageError) -> WebURL? {
    for name in ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"] {
      guard let text = variable(name) else { continue }
      guard let url = WebURL(text) else {
        throw UsageError("\(name) takes an http or https address")
      }
      return url
    }
    return nil
  }

  /// Refuses an unencrypted endpoint: content and temporary keys would be readable in transit.
  /// Within the local network the user decides.
  private func checkEncryption(_ endpoint: WebURL) throws(UsageError) {
    guard endpoint.scheme == "http", !settings.allowsHTTP else { return }
    let host = endpoint.host.filter { $0 != "[" && $0 != "]" }
    let local = [".localhost", ".local", ".internal", ".lan", ".home.arpa"]
    let isNear =
      IPAddress(host).map { !$0.isPublic }
      ?? (!host.contains(".") || local.contains { host.hasSuffix($0) })
    guard isNear else {
      throw UsageError(
        "\(endpoint.withoutQuery) is not encrypted and not in the local network; use https, or say "
          + "--allow-http")
    }
  }

  /// Returns the keys of the strongest layer that has one: archiver's variables, the file, Amazon's variables.
  private func credentials() throws(UsageError) -> S3Credentials {
    let own = "ARCHIVER_PUBLISH_"
    let names = ["ACCESS_KEY", "SECRET_KEY", "SESSION_TOKEN"].map { own + $0 }
    let given = names.map { name in
      variable(name) ?? environment.credential(name).map { _ in "credential:\(name)" }
    }
    if given[0] != nil || given[1] != nil {
      return try credentials(given, names)
    }
    let file = [settings.accessKey, settings.secretKey, settings.sessionToken]
    if file[0] != nil || file[1] != nil {
      return try credentials(
        file, ["accessKey", "secretKey", "sessionToken"].map { "publish.\($0)" })
    }
    let standard = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]
    if let access = variable(standard[0]), let secret = variable(standard[1]) {
      return S3Credentials(
        accessKey: access, secretKey: Secret(secret),
        sessionToken: variable(standard[2]).map { Secret($0) })
    }
    throw UsageError(
      "\(DisplayText.line(settings.target)) needs an access key and a secret key: set "
        + "\(names[0]) and \(names[1]), or publish.accessKey and publish.secretKey in the file")
  }

  private func credentials(
    _ references: [String?], _ names: [String]
  ) throws(UsageError) -> S3Credentials {
    guard let access = references[0], let secret = references[1] else {
      throw UsageError("\(names[0]) and \(names[1]) belong together; one is missing")
    }
    let token = try references[2].map { (text) throws(UsageError) in
      try SecretReference(text).resolve(for: names[2], in: environment)
    }
    return S3Credentials(
      accessKey: try SecretReference(access).resolve(for: names[0], in: environment),
      secretKey: Secret(try SecretReference(secret).resolve(for: names[1], in: environment)),
      sessionToken: token.map { Secret($0) })
  }

  /// Opens the journal: in the archive, or in the state folder for an archive on a read-only disk. A
  /// preview creates none.
  private func journal(_ location: S3Location) throws(StorageError) -> PublishJournal {
    let kept = "\(archive)/.archiver"
    let isWritable = access(kept, W_OK) == 0
    let folder = (isWritable ? kept : environment.stateFolder) + "/publish"
    if isPreview, !PublishJournal.exists(in: folder, target: location.identity) {
      return try PublishJournal(inMemoryFor: location.identity)
    }
    return try PublishJournal(folder: folder, target: location.identity)
  }

  private var holder: String {
    var buffer = [CChar](repeating: 0, count: 256)
    let isKnown = gethostname(&buffer, buffer.count - 1) == 0
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let host = isKnown ? String(decoding: bytes, as: UTF8.self) : "unknown"
    return "\(host), process \(getpid())"
  }
}
