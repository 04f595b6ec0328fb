import ArchiverCore

/// The configuration file, validated as far as possible without the adapters.
///
/// JSON5: `{ archive, allowHosts, contact, jobs, keepVersions, language, limits, max, onDeleted,
/// onConflict, …keys of `NightSettings`, sources: { NAME: { kind, …rules, …settings } } }`,
/// every key optional. An unknown key is an error.
struct ConfigurationFile: Sendable {
  /// A source in the file.
  struct Source: Sendable {
    let name: String
    let kind: SourceKind
    /// The settings without `kind` and rules, checked against the kind's.
    let settings: [String: JSONValue]
    /// The rules that every kind of source has.
    var rules = SourceRules()
  }

  let path: String
  private(set) var archive: String?
  private(set) var allowHosts: [String] = []
  /// The user's contact for servers.
  private(set) var contact: String?
  private(set) var jobs: Int?
  private(set) var keepVersions: Int?
  /// The limits that are set.
  private(set) var limits = Limits()
  /// The language of the archive's pages, one of `Option.language`.
  private(set) var language: String?
  private(set) var max: Int?
  private(set) var onDeleted: String?
  private(set) var onConflict: String?
  /// The notifications and limits of runs.
  private(set) var nights = NightSettings()
  /// The target to which runs publish the archive; `nil` if there is none.
  private(set) var publish: PublishSettings?
  /// The sources, sorted by name.
  private(set) var sources: [Source] = []
  /// Whether other users of the machine may read or change the file.
  private(set) var isOpenToOthers = false
  /// Whether the file is world-writable.
  private(set) var isChangeable = false

  static let keys =
    [
      "archive", "allowHosts", "contact", "jobs", "keepVersions", "language", "limits", "max",
      "onConflict", "onDeleted", "publish", "sources",
    ] + NightSettings.documented.map(\.key)

  /// Reads the file at `path`; `nil` if there is none and `isRequired` is false.
  static func load(
    _ path: String, isRequired: Bool, kinds: [SourceKind]
  ) throws(UsageError) -> ConfigurationFile? {
    guard let data = try read(path, isRequired: isRequired) else { return nil }
    let json: JSONValue
    do {
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = true
      json = try decoder.decode(JSONValue.self, from: data)
    } catch {
      // The decoder's error may quote the file, which may contain secrets, and names no line.
      guard let fault = JSON5Fault.first(in: data) else {
        throw UsageError("\(path) is not JSON5: check brackets, quotes and commas")
      }
      throw UsageError("\(path) is not JSON5: line \(fault.line): \(fault.reason)")
    }
    guard case .object(let members) = json else {
      throw UsageError("\(path): the file does not contain an object: { … }")
    }
    var file = ConfigurationFile(path: path)
    var status = stat()
    let mode = stat(path, &status) == 0 ? status.st_mode : 0
    file.isOpenToOthers = mode & 0o066 != 0
    file.isChangeable = mode & 0o002 != 0
    for key in members.keys.sorted() {
      try file.take(key, members[key] ?? .null, kinds: kinds)
    }
    return file
  }

  /// Reads only the valid keys of `NightSettings`, even if the file has errors elsewhere.
  static func nights(_ path: String) -> NightSettings {
    let folder = folder(of: path)
    var nights = NightSettings()
    // `load` reports an unreadable file.
    guard let data = FileManager.default.contents(atPath: path), let members = object(in: data)
    else { return nights }
    for key in members.keys where NightSettings.option(of: key) != nil {
      _ = nights.take(key, members[key] ?? .null, folder: folder)
    }
    return nights
  }

  /// Returns the absolute path of a file's directory.
  private static func folder(of path: String) -> String {
    let path = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    return path.parentFolder
  }

  private init(path: String) {
    self.path = path
  }

  private static func read(_ path: String, isRequired: Bool) throws(UsageError) -> Data? {
    if !FileManager.default.fileExists(atPath: path) {
      if isRequired { throw UsageError("there is no configuration file \(path)") }
      return nil
    }
    do {
      return try Data(contentsOf: URL(filePath: path))
    } catch {
      throw UsageError("\(path) cannot be read; check its permissions")
    }
  }

  private mutating func take(
    _ key: String, _ value: JSONValue, kinds: [SourceKind]
  ) throws(UsageError) {
    switch key {
    case "archive": archive = try text(key, value)
    case "allowHosts": allowHosts = try hosts(value)
    case "contact": contact = try contact(value)
    case "jobs": jobs = try integer(key, value, .jobs)
    case "keepVersions": keepVersions = try integer(key, value, .keepVersions)
    case "language": language = try word(key, value, .language)
    case "limits": try takeLimits(value)
    case "max": max = try integer(key, value, .max)
    case "onDeleted": onDeleted = try word(key, value, .onDeleted)
    case "onConflict": onConflict = try word(key, value, .onConflict)
    case "publish":
      do throws(PublishSettings.Fault) {
        publish = try PublishSettings(value)
      } catch {
        let space = error.words.hasPrefix(".") || error.words.hasPrefix(" ") ? "" : " "
        throw failure("publish\(space)\(error.words)")
      }
    case "sources": try takeSources(value, kinds: kinds)
    case _ where NightSettings.option(of: key) != nil:
      if let expected = nights.take(key, value, folder: ConfigurationFile.folder(of: path)) {
        throw failure("\(key) takes \(expected.words)")
      }
    default:
      let kind = kinds.first { $0.name == key }
      let hint =
        kind.map { "; put sources under 'sources': { sources: { \($0.name): … } }" }
        ?? NearestName.hint(key, among: ConfigurationFile.keys)
      throw failure("unknown key '\(DisplayText.line(key))'\(hint)")
    }
  }

  private func text(_ key: String, _ value: JSONValue) throws(UsageError) -> String {
    guard let text = value.string, !text.isEmpty else {
      throw failure("\(key) takes a text in quotes")
    }
    return text
  }

  /// Returns a contact that is valid in a comment of a header field.
  private func contact(_ value: JSONValue) throws(UsageError) -> String {
    let text = value.string ?? ""
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()\\\"".utf8.contains($0) }
    guard isPlain, text.contains("@") || text.hasPrefix("https://") || text.hasPrefix("http://"),
      text.utf8.count <= 200
    else { throw failure("contact takes a mail address or the URL of a page") }
    return text
  }

  private func integer(
    _ key: String, _ value: JSONValue, _ option: Option
  ) throws(UsageError) -> Int {
    switch option.value.parse(value.integer.map(String.init) ?? "") {
    case .success(.integer(let number)): return number
    case .success: throw failure("\(key) takes a whole number")
    case .failure(let expected): throw failure("\(key) takes \(expected.words)")
    }
  }

  /// Validates the value of a key that corresponds to an option.
  private func word(
    _ key: String, _ value: JSONValue, _ option: Option
  ) throws(UsageError) -> String {
    switch option.value.parse(value.string ?? "") {
    case .success: return value.string ?? ""
    case .failure(let expected): throw failure("\(key) takes \(expected.words)")
    }
  }

  private func hosts(_ value: JSONValue) throws(UsageError) -> [String] {
    guard let elements = value.array, elements.allSatisfy({ $0.string != nil }) else {
      throw failure("allowHosts takes a list of texts: [\"nas.local:8080\"]")
    }
    return elements.compactMap(\.string)
  }

  /// Limits of earlier versions, which have no effect: files that set them remain valid.
  private static let formerLimits: Set<String> = ["htmlDepth"]

  private mutating func takeLimits(_ value: JSONValue) throws(UsageError) {
    guard case .object(let members) = value else {
      throw failure("limits takes an object: { imageSize: \"64M\" }")
    }
    for name in members.keys.sorted() where !ConfigurationFile.formerLimits.contains(name) {
      guard let limit = Limit(rawValue: name) else {
        let hint = NearestName.hint(name, among: Limit.allCases.map(\.rawValue))
        throw failure("unknown limit '\(DisplayText.line(name))'\(hint)")
      }
      switch limit.parse(members[name] ?? .null) {
      case .success(let number): limits[limit] = number
      case .failure(let expected): throw failure("\(limit.key) takes \(expected.words)")
      }
    }
  }

  private mutating func takeSources(
    _ value: JSONValue, kinds: [SourceKind]
  ) throws(UsageError) {
    guard case .object(let members) = value else {
      throw failure("sources takes an object: { NAME: { … } }")
    }
    for name in members.keys.sorted() {
      guard case .object(let settings)? = members[name] else {
        throw failure("sources.\(DisplayText.line(name)) takes an object: { … }")
      }
      sources.append(try source(name, settings, kinds: kinds))
    }
  }

  private func source(
    _ name: String, _ settings: [String: JSONValue], kinds: [SourceKind]
  ) throws(UsageError) -> Source {
    if let reason = SourceName.problem(name) {
      throw failure("'\(DisplayText.line(name))' is not a valid name for a source: \(reason)")
    }
    let kind = try kind(of: name, settings["kind"], kinds: kinds)
    let known = kind.properties.settings
    var rest = settings
    rest["kind"] = nil
    if kind.problem != nil {
      // The settings of a program that was not asked are unknown: a key that looks like a rule may
      // be its own.
      let rules = try? takeRules(of: name, kind, from: &rest)
      return Source(name: name, kind: kind, settings: [:], rules: rules ?? SourceRules())
    }
    let rules = try takeRules(of: name, kind, from: &rest)
    for key in rest.keys.sorted() {
      guard let setting = known.first(where: { $0.key == key }) else {
        let hint = NearestName.hint(key, among: known.map(\.key) + SourceRules.keys + ["kind"])
        throw failure(
          "unknown setting '\(DisplayText.line(key))' of source '\(name)'\(hint)")
      }
      if let expected = setting.expectation(rest[key] ?? .null) {
        throw failure("sources.\(name).\(key) takes \(expected.words)")
      }
    }
    return Source(name: name, kind: kind, settings: rest, rules: rules)
  }

  private func takeRules(
    of name: String, _ kind: SourceKind, from settings: inout [String: JSONValue]
  ) throws(UsageError) -> SourceRules {
    var rules = SourceRules()
    for key in SourceRules.keys where !kind.hasSetting(key) {
      guard let value = settings.removeValue(forKey: key) else { continue }
      if let expected = rules.take(key, value) {
        throw failure("sources.\(name).\(key) takes \(expected.words)")
      }
    }
    return rules
  }

  private func kind(
    of name: String, _ value: JSONValue?, kinds: [SourceKind]
  ) throws(UsageError) -> SourceKind {
    let word = value == nil ? name : value?.string ?? ""
    if let kind = kinds.first(where: { $0.name == word }) { return kind }
    let all = kinds.map(\.name)
    let hint = NearestName.hint(word, among: all)
    guard value == nil else {
      throw failure(
        "source '\(name)' has the unknown kind '\(DisplayText.line(word))'\(hint) "
          + "(there are \(all.joined(separator: ", ")))")
    }
    // A misspelt kind is an error of the file; a program that is not installed fails its source only.
    guard !hint.isEmpty else { return AbsentProgram.kind(name, known: all) }
    throw failure(
      "source '\(name)' needs a kind, one of \(all.joined(separator: ", "))\(hint)")
  }

  private func failure(_ message: String) -> UsageError { UsageError("\(path): \(message)") }
}

extension SourceKind {
  /// Whether a key is a setting of this kind.
  func hasSetting(_ key: String) -> Bool { properties.settings.contains { $0.key == key } }
}

/// The names of sources: they are directory names and arguments.
enum SourceName {
  /// Returns the error in a name; `nil` if it is valid.
  static func problem(_ name: String) -> String? {
    let isPlain = name.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
    }
    if !isPlain || name.isEmpty || name.hasPrefix("-") {
      return "use lower-case letters, digits and hyphens"
    }
    if name.utf8.count > 40 { return "it is longer than 40 characters" }
    return name == "library" ? "the name is reserved for the archive's own pages" : nil
  }
}
