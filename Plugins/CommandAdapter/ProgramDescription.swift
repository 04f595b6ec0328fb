package import ArchiverCore

/// A program's description of itself.
package struct ProgramDescription: Decodable, Sendable {
  struct Setting: Decodable, Sendable {
    let key: String
    let type: String?
    let minimum: Double?
    let maximum: Double?
    let choices: [String]?
    let required: Bool?
    let `default`: JSONValue?
    let help: String
    let example: String?
  }

  /// A setting with its unknown keys.
  struct CheckedSetting: Decodable, Sendable {
    let setting: Setting
    let unknown: [String]

    init(from decoder: any Decoder) throws {
      setting = try Setting(from: decoder)
      unknown = KnownKeys.setting.unknown(in: decoder)
    }
  }

  let `protocol`: Int
  let kind: String
  let title: String?
  let summary: String
  let settings: [CheckedSetting]?
  /// The maximum number of processes that fetch items.
  let processes: Int?
  let contentClasses: [String]?
  let contentStyle: String?

  /// The protocol version of archiver.
  static let version = 1

  /// The maximum number of processes per source.
  static let mostProcesses = 16

  var processLimit: Int { min(max(processes ?? 1, 1), ProgramDescription.mostProcesses) }

  /// Validates the description and returns the properties of the kind.
  package func properties(of program: SourceProgram) throws(AdapterError) -> AdapterProperties {
    guard `protocol` == ProgramDescription.version else {
      throw program.wrong(
        "it uses version \(`protocol`) of the protocol, but this is version "
          + "\(ProgramDescription.version)")
    }
    guard kind == program.name else {
      throw program.wrong(
        "it describes the kind '\(kind)', but its file is named for '\(program.name)'")
    }
    if summary.isEmpty { throw program.wrong("its summary is empty") }
    if let style = contentStyle, !ProgramStyle.isSelfContained(style) {
      throw program.wrong("its contentStyle contains a URL or a tag")
    }
    var known: [AdapterSetting] = []
    for checked in settings ?? [] {
      let setting = checked.setting
      if known.contains(where: { $0.key == setting.key }) {
        throw program.wrong("it has two settings '\(setting.key)'")
      }
      known.append(try setting.adapterSetting(of: program, unknown: checked.unknown))
    }
    return AdapterProperties(
      title: title ?? kind, summary: summary, settings: known,
      contentClasses: Set(contentClasses ?? []), contentStyle: contentStyle ?? "")
  }
}

extension SourceProgram {
  /// Returns the error for an invalid description.
  fileprivate func wrong(_ reason: String) -> AdapterError {
    AdapterError(.configuration, "\(path): \(reason)")
  }
}

extension ProgramDescription.Setting {
  /// The environment variable is derived from kind and key, so that a program cannot request
  /// another's.
  fileprivate func adapterSetting(
    of program: SourceProgram, unknown: [String]
  ) throws(AdapterError) -> AdapterSetting {
    let isPlain = key.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0)
    }
    guard isPlain, key.first?.isLowercase == true, key != "kind" else {
      throw program.wrong("'\(key)' is not a valid key of a setting: use letters and digits")
    }
    // An unknown key may be the one that marks the setting as a secret.
    if let other = unknown.first {
      throw program.wrong(
        "the setting '\(key)' has the unknown key '\(other.prefix(40))'\(hint(other))")
    }
    guard !help.isEmpty else { throw program.wrong("the setting '\(key)' has no help") }
    return AdapterSetting(
      key, try value(of: program), environment: environment(of: program),
      isRequired: required ?? false,
      defaultValue: `default`?.settingText(separator: ","), help: help, example: example)
  }

  /// Returns the part of a variable for a key: `maxAge` of `feed` is `FEED_MAX_AGE`.
  private func environment(of program: SourceProgram) -> String {
    let name = program.name.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    return "\(name)_\(key.variableWords)"
  }

  private func hint(_ other: String) -> String {
    if ["secret", "isSecret", "sensitive"].contains(other) {
      return "; a secret is written \"type\": \"secret\""
    }
    let known = KnownKeys.settingKeys.joined(separator: ", ")
    return " (known are \(known))"
  }

  /// Whether the key looks like that of a token or password. A setting without a type is then a
  /// secret: a secret that was shown cannot be recalled, whereas the type `text` is easily added.
  private var isNamedLikeSecret: Bool {
    let key = key.lowercased()
    return ["token", "password", "secret", "apikey"].contains(where: key.hasSuffix)
  }

  private func value(of program: SourceProgram) throws(AdapterError) -> AdapterSetting.Value {
    switch type ?? (isNamedLikeSecret ? "secret" : "text") {
    case "text": return .text
    case "url": return .url
    case "secret": return .secret
    case "flag": return .flag
    case "list": return .list
    case "headers": return .headers
    case "choice":
      if let choices, !choices.isEmpty { return .choice(choices) }
      throw program.wrong("'\(key)' is a choice without choices")
    case "integer":
      let least = Int(exactly: (minimum ?? 0).rounded()) ?? 0
      let most = maximum.flatMap { Int(exactly: $0.rounded()) } ?? .max
      return .integer(least...max(least, most))
    case "number":
      let least = minimum ?? 0
      return .number(least...max(least, maximum ?? .greatestFiniteMagnitude))
    case let other:
      throw program.wrong("the setting '\(key)' has the unknown type '\(other)'")
    }
  }
}

extension String {
  /// The key of a setting as part of a variable's name: `maxAge` is `MAX_AGE`.
  var variableWords: String {
    reduce(into: "") { $0 += $1.isUppercase ? "_\($1)" : $1.uppercased() }
  }
}

extension JSONValue {
  /// Returns the value of a setting as text, with a separator between the elements of a list; `nil` for `null` and
  /// objects.
  func settingText(separator: String) -> String? {
    switch self {
    case .string(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .number(let number): String(number)
    case .array(let elements): elements.compactMap(\.string).joined(separator: separator)
    case .null, .object: nil
    }
  }
}
