/// A token or password that cannot print itself.
///
/// Every way of turning a secret into text gives `<redacted>`; only `reveal()` gives the value,
/// so that each use can be found by searching for that word. It decodes from a plain string and
/// cannot be encoded.
public struct Secret: Sendable, Hashable, Decodable {
  private let value: String

  public init(_ value: String) {
    self.value = value
  }

  public init(from decoder: any Decoder) throws {
    value = try decoder.singleValueContainer().decode(String.self)
  }

  /// Returns the secret itself.
  public func reveal() -> String { value }

  /// Whether there is nothing in it.
  public var isEmpty: Bool { value.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "<redacted>" }
  public var debugDescription: String { "<redacted>" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
