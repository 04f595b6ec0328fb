import ArchiverCore
import ArchiverSite
import ArchiverStorage

/// The settings of a command: file, environment and command line combined.
struct RunSettings: Sendable {
  let file: ConfigurationFile?
  let arguments: ParsedArguments
  let environment: ProcessEnvironment
  let resolution: SourceResolver.Outcome

  /// The extent to which programs that act as sources are asked.
  enum Programs {
    /// Their names and settings; each program is started and describes itself.
    case described
    /// Only their names; their settings in file and environment are ignored.
    case named
  }

  /// Reads the configuration file and the stored logins.
  init(_ invocation: Invocation, programs: Programs = .described) throws(UsageError) {
    environment = invocation.environment
    arguments = invocation.arguments
    let services = invocation.services
    let named = programs == .named ? services.namedPrograms : nil
    let kinds = services.kinds + (named ?? services.programs)(environment)
    file = try ConfigurationFile.load(
      invocation.configurationPath, isRequired: arguments.text(.config) != nil, kinds: kinds)
    resolution = try SourceResolver(
      kinds: kinds, file: file, environment: environment, arguments: arguments
    ).resolve()
  }

  /// The archive's directory, absolute. A relative path in the file is relative to the file's
  /// directory.
  var archive: String {
    if let given = arguments.text(.archive) { return environment.absolute(given) }
    guard let file, let archive = file.archive else { return environment.home + "/archived" }
    let path = environment.expanded(archive)
    if path.hasPrefix("/") { return path }
    let folder = environment.absolute(file.path).split(separator: "/").dropLast()
    return "/\(folder.joined(separator: "/"))/\(path)"
  }

  /// The language of bundles and of the library's static pages.
  var words: Words { Words.of(file?.language ?? "en") }

  /// The number of concurrent downloads, limited by the number of files that the process may open.
  var jobs: Int {
    ProcessResources.jobs(
      arguments.integer(.jobs) ?? file?.jobs ?? 16, openFiles: OpenFileLimit.available)
  }
  var keepVersions: Int { arguments.integer(.keepVersions) ?? file?.keepVersions ?? 3 }
  var max: Int? { arguments.integer(.max) ?? file?.max }
  var limits: Limits { file?.limits ?? Limits() }

  /// Returns the file's rules for a source of any kind.
  func rules(of source: String) -> SourceRules {
    file?.sources.first { $0.name == source }?.rules ?? SourceRules()
  }

  /// Returns the maximum number of new or changed items per run of a source; `nil` for no limit.
  func max(of source: String) -> Int? {
    arguments.integer(.max) ?? rules(of: source).max ?? file?.max
  }

  /// Returns the number of earlier versions to keep of each item of a source.
  func keepVersions(of source: String) -> Int {
    arguments.integer(.keepVersions) ?? rules(of: source).keepVersions ?? file?.keepVersions ?? 3
  }

  /// Returns the maximum size of a source's bundles in bytes; `nil` for no limit.
  func maxBytes(of source: String) -> Int? {
    arguments.bytes(.maxSize) ?? rules(of: source).maxBytes
  }

  /// Returns the number of bytes that a source keeps free on the disk; `nil` for no limit.
  func minFree(of source: String) -> Int? {
    arguments.bytes(.minFree) ?? rules(of: source).minFree
  }

  /// Returns the hosts whose private addresses are allowed, by the file and by `--allow-host`.
  func allowedHosts() throws(UsageError) -> Set<AddressPolicy.AllowedHost> {
    var hosts: Set<AddressPolicy.AllowedHost> = []
    for text in (file?.allowHosts ?? []) + arguments.texts(.allowHost) {
      guard let host = AddressPolicy.AllowedHost(text) else {
        throw UsageError("'\(DisplayText.line(text))' is not HOST or HOST:PORT")
      }
      hosts.insert(host)
    }
    return hosts
  }

  /// The sources with settings in the file or the environment.
  var configured: [SourceConfiguration] {
    resolution.sources.filter { source in
      source.isMentioned && source.isComplete
        || file?.sources.contains { $0.name == source.name } == true
    }
  }

  /// Returns the source of a name, configured or not.
  func source(named name: String) throws(UsageError) -> SourceConfiguration {
    if let source = resolution.sources.first(where: { $0.name == name }) { return source }
    let names = resolution.sources.map(\.name)
    let hint = NearestName.hint(name, among: names)
    throw UsageError(
      "there is no source '\(DisplayText.line(name))'\(hint) (there are \(names.joined(separator: ", ")))"
    )
  }

  /// Returns the sources that `--source` names, each once, or all that are configured.
  func selected() throws(UsageError) -> [SourceConfiguration] {
    var sources: [SourceConfiguration] = []
    for name in arguments.texts(.source) where !sources.contains(where: { $0.name == name }) {
      sources.append(try source(named: name))
    }
    if arguments.has(.source) { return sources }
    let enabled = configured.filter { rules(of: $0.name).isEnabled }
    if !enabled.isEmpty { return enabled }
    if let source = configured.first {
      throw UsageError(
        "every configured source has enabled: false; name one, as with --source \(source.name)")
    }
    throw UsageError(
      "no source is configured; "
        + (resolution.sources.first?.remedy()?.message ?? "see 'archiver sources'"))
  }
}
