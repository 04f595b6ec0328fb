/// Header fields in order of arrival; names are case-insensitive (RFC 9110).
public struct HTTPHeaders: Sendable, Hashable {
  public struct Field: Sendable, Hashable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public private(set) var fields: [Field]

  public init(_ fields: [Field] = []) {
    self.fields = fields
  }

  /// The first value of a field. Setting it replaces all fields of that name; `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { HTTPHeaders.same($0.name, name) }?.value }
    set {
      fields.removeAll { HTTPHeaders.same($0.name, name) }
      if let newValue { fields.append(Field(name, newValue)) }
    }
  }

  /// Returns all values of a field, in order.
  public func values(_ name: String) -> [String] {
    fields.filter { HTTPHeaders.same($0.name, name) }.map(\.value)
  }

  /// Adds a field without replacing those of the same name.
  public mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name, value))
  }

  private static func same(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    return one == other || zip(one.utf8, other.utf8).allSatisfy { lower($0) == lower($1) }
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field($0.0, $0.1) })
  }
}
