import ArchiverCore

/// A source with its settings from all layers.
struct SourceConfiguration: Sendable {
  struct Value: Sendable {
    let json: JSONValue
    let origin: SettingOrigin
  }

  let name: String
  let kind: SourceKind
  /// The values, by the setting's key.
  private(set) var values: [String: Value] = [:]

  var settings: [AdapterSetting] { kind.properties.settings }

  /// Sets a value, replacing that of weaker layers.
  mutating func set(_ key: String, _ json: JSONValue, from origin: SettingOrigin) {
    values[key] = Value(json: json, origin: origin)
  }

  /// The required settings without a value.
  var missing: [AdapterSetting] {
    settings.filter { $0.isRequired && values[$0.key] == nil }
  }

  var isComplete: Bool { missing.isEmpty }

  /// Whether any of its settings is given.
  var isMentioned: Bool {
    values.values.contains { $0.origin != .standard }
  }

  /// Returns how to set a required setting without a value.
  func remedy() -> UsageError? {
    if missing.isEmpty { return nil }
    let ways = missing.map { setting in
      setting.environment.map { "\(setting.key) (\($0))" } ?? setting.key
    }
    let login = kind.login != nil ? ", or run 'archiver login \(name)'" : ""
    return UsageError(
      "\(name) needs \(ways.joined(separator: " and ")): set "
        + "\(missing.count == 1 ? "it" : "them") in the environment or in the configuration\(login)"
    )
  }

  /// The validated settings, and the secrets among them.
  struct Opened {
    let opening: SourceKind.Opening
    let secrets: [Secret]
  }

  /// Passes the settings to the kind, after resolving secrets.
  ///
  /// Throws for a missing or invalid setting, naming it and its origin, but never the value of a
  /// secret.
  func open(in environment: ProcessEnvironment) throws(UsageError) -> Opened {
    if let remedy = remedy() { throw remedy }
    var object: [String: JSONValue] = [:]
    var secrets: [Secret] = []
    for (key, value) in values {
      guard let setting = settings.first(where: { $0.key == key }) else { continue }
      let found = try resolved(setting, value, in: environment)
      object[key] = found
      guard setting.isSecret else { continue }
      secrets += found.texts.map { Secret($0) }
    }
    do {
      let data = try JSONEncoder().encode(JSONValue.object(object))
      return Opened(opening: try kind.open(settings: data), secrets: secrets)
    } catch let error as AdapterError {
      throw UsageError("\(name): \(error.message)")
    } catch {
      throw explained(error)
    }
  }

  private func resolved(
    _ setting: AdapterSetting, _ value: Value, in environment: ProcessEnvironment
  ) throws(UsageError) -> JSONValue {
    let place = "\(setting.key) of \(name) (\(value.origin.words))"
    if case .login = value.origin { return value.json }
    switch (setting.value, value.json) {
    case (.secret, .string(let text)):
      return .string(try SecretReference(text).resolve(for: place, in: environment))
    case (.headers, .object(let fields)):
      var found: [String: JSONValue] = [:]
      for (field, json) in fields {
        let secret = SecretReference(json.string ?? "")
        found[field] = .string(try secret.resolve(for: "\(field) in \(place)", in: environment))
      }
      return .object(found)
    default: return value.json
    }
  }

  /// Returns an error that names the setting that the adapter could not decode.
  private func explained(_ error: any Error) -> UsageError {
    let (path, reason): ([any CodingKey], String) =
      switch error as? DecodingError {
      case .keyNotFound(let key, let context): (context.codingPath + [key], "it is missing")
      case .typeMismatch(_, let context), .valueNotFound(_, let context):
        (context.codingPath, context.debugDescription)
      case .dataCorrupted(let context): (context.codingPath, context.debugDescription)
      default: ([], String(describing: error))
      }
    guard let key = path.first?.stringValue else {
      return UsageError("the settings of \(name) cannot be used: \(reason)")
    }
    let setting = settings.first { $0.key == key }
    let shown = setting?.isSecret == true ? "the value cannot be used" : DisplayText.line(reason)
    let origin = values[key].map { " (\($0.origin.words))" } ?? ""
    let variable = setting?.environment.map { "; its environment variable is \($0)" } ?? ""
    return UsageError("\(key) of \(name)\(origin): \(shown)\(variable)")
  }
}
