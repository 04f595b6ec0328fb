import ArchiverCore

/// A configuration file to fill in, generated from the table of options and the settings of the
/// kinds.
///
/// Settings without a value are comments, so the file is valid as it is. Optional settings of a
/// source are comments within the comment: uncommenting a block sets only what is required, and no
/// example restricts the archive.
enum ConfigurationTemplate {
  static func text(kinds: [SourceKind]) -> String {
    var lines = [
      "// Configuration of archiver: JSON with comments, names without quotes, trailing commas.",
      "// Remove the // before each line to set; other lines of a source may stay commented out.",
      "// 'archiver config check' tests it.",
      "{",
    ]
    for (key, example, option) in general {
      lines.append("  // \(option.help)")
      lines.append("  // \(key): \(example),")
    }
    lines += limits()
    lines += [
      "", "  // Each source has a name of your choice; with another name than its kind's,",
      "  // say which kind it is: \"work\": { kind: \"readeck\", … }", "  sources: {",
    ]
    for kind in kinds where kind.problem == nil { lines += source(kind) }
    lines += ["  },", "}"]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The keys besides `sources`, with an example of each and the option that explains it.
  static let general: [(key: String, example: String, option: Option)] =
    [
      ("archive", "\"~/archived\"", .archive), ("max", "200", .max), ("jobs", "16", .jobs),
      ("keepVersions", "3", .keepVersions), ("language", "\"de\"", .language),
      ("onDeleted", "\"mark\"", .onDeleted),
      ("onConflict", "\"server\"", .onConflict), ("contact", "\"me@example.org\"", contact),
      ("allowHosts", "[\"nas.local:8080\"]", .allowHost),
      ("publish", "{ target: \"s3://my-bucket/reading\" }", publish),
    ] + NightSettings.documented

  private static let publish = Option(
    "publish", .text, valueName: "PLACE",
    help: "Publish the archive there after each run, as 'archiver publish' does")

  private static let contact = Option(
    "contact", .text, valueName: "ADDRESS",
    help:
      "Send this mail address or page to servers with every request; some, such as Wikimedia's, "
      + "refuse images to programs without one")

  /// The keys that apply to sources of every kind.
  static let perSource: [(key: String, example: String, option: Option)] = [
    ("enabled", "true", .enabled), ("max", "20", .max), ("maxSize", "\"20G\"", .maxSize),
    ("minFree", "\"20G\"", .minFree),
    ("keep", "500", .keep), ("olderThan", "\"2y\"", .olderThan),
    ("keepVersions", "3", .keepVersions),
    ("every", "\"24h\"", .everySource),
  ]

  /// Returns the limits of untrusted input, as a block with the default values.
  private static func limits() -> [String] {
    [
      "  // Limits on untrusted input; an error names the limit that was exceeded",
      "  // limits: {",
    ]
      + Limit.allCases.flatMap { limit in
        ["  //   // \(limit.help)", "  //   \(limit.rawValue): \(limit.literal(limit.standard)),"]
      } + ["  // },"]
  }

  private static func source(_ kind: SourceKind) -> [String] {
    var lines = ["    // \(kind.properties.title): \(kind.properties.summary)"]
    let key = kind.name.contains("-") ? "\"\(kind.name)\"" : kind.name
    lines.append("    // \(key): {")
    for setting in kind.properties.settings {
      let need = setting.isRequired ? " (required)" : ""
      lines.append("    //   // \(setting.help)\(need)")
      let mark = setting.isRequired ? "" : "// "
      lines.append("    //   \(mark)\(setting.key): \(example(setting)),")
    }
    for (key, example, option) in perSource where !kind.hasSetting(key) {
      lines.append("    //   // \(option.help)")
      lines.append("    //   // \(key): \(example),")
    }
    lines.append("    // },")
    return lines
  }

  /// Returns a value for the file: the example, the default, or one of the type.
  static func example(_ setting: AdapterSetting) -> String {
    let text = setting.example ?? setting.defaultValue
    switch setting.value {
    case .secret: return "\"command:pass show \(setting.key)\""
    case .headers: return "{ \"Name\": \"value\" }"
    case .text: return JSONLine.quoted(text ?? "")
    case .url: return JSONLine.quoted(text ?? "https://example.org")
    case .choice(let choices): return JSONLine.quoted(text ?? choices.first ?? "")
    case .flag: return text ?? "false"
    case .list:
      return "[" + CommaList.split(text ?? "").map(JSONLine.quoted).joined(separator: ", ") + "]"
    case .integer(let range): return text ?? String(range.lowerBound)
    case .number(let range): return text ?? String(range.lowerBound)
    }
  }
}
