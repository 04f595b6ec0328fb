/// A token or password that never prints itself.
///
/// Every conversion to text gives `<redacted>`; only `reveal()` returns the value, so all uses can
/// be found by that name. It decodes from a plain string and cannot be encoded.
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

  /// Whether it is empty.
  public var isEmpty: Bool { value.isEmpty }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "<redacted>" }
  public var debugDescription: String { "<redacted>" }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
