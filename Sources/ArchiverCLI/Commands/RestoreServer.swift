import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

/// The server to restore items to: that of the source, or another one with a separate token.
struct RestoreServer {
  private static let tokenVariable = "ARCHIVER_RESTORE_TOKEN"

  let source: any Source
  let url: WebURL

  init(
    _ kind: SourceKind, _ settings: RunSettings, _ invocation: Invocation
  ) throws {
    var source = try RestoreServer.source(kind, settings, invocation)
    guard let keys = LoginKeys(kind) else {
      throw UsageError("items of \(kind.name) cannot be sent to a server")
    }
    let own = source.values[keys.url]?.json.string.flatMap { WebURL($0) }
    let given = invocation.arguments.text(.url).flatMap { WebURL($0) }
    guard let url = given ?? own else {
      throw invocation.misuse("the server is unknown; add --url https://…")
    }
    if let token = try RestoreServer.token(invocation) {
      source.set(keys.token, .string(token), from: .login(""))
    } else if url.origin != own?.origin {
      // The source's token must be sent to its own server only.
      throw invocation.misuse(
        "\(url.origin) needs a token of its own: set \(RestoreServer.tokenVariable) or use "
          + "--token-stdin")
    }
    source.set(keys.url, .string(url.absoluteString), from: .login(""))
    self.source = try SourceOpener(invocation, settings).make(source)
    self.url = url
  }

  /// Returns the source whose settings are used: that of `--source`, or the first of the kind.
  private static func source(
    _ kind: SourceKind, _ settings: RunSettings, _ invocation: Invocation
  ) throws(UsageError) -> SourceConfiguration {
    let names = invocation.arguments.texts(.source)
    if names.count == 1 {
      let source = try settings.source(named: names[0])
      guard source.kind.name == kind.name else {
        throw UsageError("\(source.name) is not a source of the kind \(kind.name)")
      }
      return source
    }
    return settings.resolution.sources.first { $0.kind.name == kind.name }
      ?? SourceConfiguration(name: kind.name, kind: kind)
  }

  private static func token(_ invocation: Invocation) throws(UsageError) -> String? {
    let environment = invocation.environment
    let text =
      invocation.arguments.has(.tokenFromInput)
      ? environment.input.readAll() : environment.variables[tokenVariable]
    guard let text else { return nil }
    let token = text.trimmed
    guard !token.isEmpty else { throw UsageError("the token is empty") }
    return token
  }
}

/// The archived data of the accounts to which items belong, besides items.
struct AccountRecords {
  /// The name of the loss if the archive has no record of an account.
  static let loss = "account record"

  /// The records found, sorted by the names of their sources.
  var found: [JSONValue] = []
  /// The number of sources of the kind whose record is missing or unreadable.
  var missing = 0

  init() {}

  init(_ archive: Archive, of items: [CatalogItem], kind: String) throws(StorageError) {
    for source in Set(items.map(\.key.source)).sorted() {
      if let data = try archive.account(of: source) {
        if data.kind == kind { found.append(data.account) }
      } else if try archive.catalog.runs(source: source, limit: 1).first?.kind == kind {
        missing += 1
      }
    }
  }
}
