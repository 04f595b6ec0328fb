/// A setting of a kind of source.
///
/// Its value comes, from weakest to strongest, from its default, the configuration file, a stored
/// login, the environment and the command line. The adapter finds it in its `Configuration` under
/// `key`.
public struct AdapterSetting: Sendable, Hashable {
  public enum Value: Sendable, Hashable {
    case text
    /// An http or https URL.
    case url
    case secret
    case flag
    case integer(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    case choice([String])
    /// A list of texts: an array in the file, repeated on the command line, comma-separated in the
    /// environment.
    case list
    /// Header fields: an object in the file.
    case headers
  }

  /// The key in the configuration file and in `Configuration`: `onlyHighlighted`.
  public let key: String
  public let value: Value
  /// The environment variable: `READECK_TOKEN`. If `nil`, the host derives one from kind and key,
  /// such as `READECK_RANGE_START`.
  public internal(set) var environment: String?
  /// The option of `archiver run`: `--only-highlighted`; `nil` if there is none.
  public let option: String?
  public let isRequired: Bool
  /// The default as written in the file; `nil` if there is none.
  public let defaultValue: String?
  /// One sentence of help, without a full stop.
  public let help: String
  /// A value for examples.
  public let example: String?

  public init(
    _ key: String, _ value: Value, environment: String? = nil, option: String? = nil,
    isRequired: Bool = false, defaultValue: String? = nil, help: String, example: String? = nil
  ) {
    self.key = key
    self.value = value
    self.environment = environment
    self.option = option
    self.isRequired = isRequired
    self.defaultValue = defaultValue
    self.help = help
    self.example = example
  }
}
