/// The origin of a setting's value, from weakest to strongest.
enum SettingOrigin: Sendable, Hashable {
  case standard
  /// The configuration file.
  case file(String)
  case login(String)
  case environment(String)
  /// The option, with its dashes.
  case option(String)

  /// The origin in words, for messages: "in ~/.config/archiver/config.json5".
  var words: String {
    switch self {
    case .standard: "by default"
    case .file(let path): "in \(path)"
    case .login(let path): "in the stored login \(path)"
    case .environment(let name): "in the environment variable \(name)"
    case .option(let flag): "by \(flag)"
    }
  }
}
