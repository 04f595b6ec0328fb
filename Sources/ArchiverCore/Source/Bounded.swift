/// A count from a source, clamped between 0 and a maximum, so that sums of many never overflow.
///
/// Decodes numbers outside the range as the nearest end and anything else as absent. Encodes as a
/// plain number, or not at all if absent.
@propertyWrapper
public struct BoundedCount: Sendable, Hashable, Codable {
  /// The default maximum.
  public static let most = 1_000_000_000

  private var value: Int?
  private let bound: Int32

  public var wrappedValue: Int? {
    get { value }
    set { value = newValue.map { min(max($0, 0), Int(bound)) } }
  }

  /// - Parameters:
  ///   - wrappedValue: The count, clamped to the range.
  ///   - most: The maximum, from 1 to `BoundedCount.most`.
  public init(wrappedValue: Int? = nil, most: Int = BoundedCount.most) {
    bound = Int32(most)
    value = nil
    self.wrappedValue = wrappedValue
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self.init(wrappedValue: nil)
    } else if let count = try? container.decode(Int.self) {
      self.init(wrappedValue: count)
    } else {
      // A number that is not an `Int`: 0.25, or one beyond 64 bits.
      let number = try? container.decode(Double.self)
      self.init(wrappedValue: number.map { $0 >= 1 ? BoundedCount.most : 0 })
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }

  public static func == (one: BoundedCount, other: BoundedCount) -> Bool {
    one.value == other.value
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// A date from a source, clamped to the years 1 to 9999, which every format can represent.
@propertyWrapper
public struct BoundedDate: Sendable, Hashable, Codable {
  /// 0001-01-01 and 9999-12-31 UTC.
  public static let range =
    Date(timeIntervalSince1970: -62_135_596_800)...Date(timeIntervalSince1970: 253_402_214_400)

  private var value: Date?

  public var wrappedValue: Date? {
    get { value }
    set {
      value = newValue.flatMap { date in
        let seconds = date.timeIntervalSince1970
        guard !seconds.isNaN else { return nil }
        return min(max(date, BoundedDate.range.lowerBound), BoundedDate.range.upperBound)
      }
    }
  }

  public init(wrappedValue: Date? = nil) {
    value = nil
    self.wrappedValue = wrappedValue
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self.init(wrappedValue: container.decodeNil() ? nil : try container.decode(Date.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

// An absent value has no key in JSON, as for any optional member.
extension KeyedDecodingContainer {
  public func decode(_ type: BoundedCount.Type, forKey key: Key) throws -> BoundedCount {
    try decodeIfPresent(type, forKey: key) ?? BoundedCount(wrappedValue: nil)
  }

  public func decode(_ type: BoundedDate.Type, forKey key: Key) throws -> BoundedDate {
    try decodeIfPresent(type, forKey: key) ?? BoundedDate(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  public mutating func encode(_ value: BoundedCount, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }

  public mutating func encode(_ value: BoundedDate, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue, forKey: key)
  }
}
