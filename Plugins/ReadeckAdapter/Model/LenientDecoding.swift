import ArchiverCore

extension KeyedDecodingContainer {
  /// Returns the member if it exists and has the type, otherwise `nil`.
  ///
  /// Versions of Readeck omit members, send `null` or change types. None of this may lose an item.
  func lenient<T: Decodable>(_ key: Key, as type: T.Type = T.self) -> T? {
    // Drop the error: it says only that the member has another type.
    (try? decodeIfPresent(type, forKey: key)) ?? nil
  }
}

/// Reads the members of an object and records those whose value has a wrong type.
struct MemberReader<Key: CodingKey> {
  private let container: KeyedDecodingContainer<Key>
  /// The names of the members, in the order of reading; each once.
  private(set) var unreadable: [String] = []

  init(_ container: KeyedDecodingContainer<Key>) { self.container = container }

  /// Returns the member; `nil` if it is absent, `null`, of a wrong type, or an empty text where
  /// another type is expected, which is how Go encodes some missing values.
  mutating func value<T: Decodable>(_ key: Key, as type: T.Type = T.self) -> T? {
    do {
      return try container.decodeIfPresent(type, forKey: key)
    } catch {
      if container.lenient(key) != "" { note(key) }
      return nil
    }
  }

  /// Returns the texts of an array, without its elements of other types.
  mutating func texts(_ key: Key) -> [String] {
    if let texts: [String] = container.lenient(key) { return texts }
    guard let slots = value(key, as: LenientSlots<String>.self) else { return [] }
    if slots.elements.count < slots.outcomes.count { note(key) }
    return slots.elements
  }

  private mutating func note(_ key: Key) {
    if !unreadable.contains(key.stringValue) { unreadable.append(key.stringValue) }
  }
}

/// An array whose invalid elements are skipped and counted.
struct LenientArray<Element: Decodable & Sendable>: Decodable, Sendable {
  private(set) var elements: [Element] = []
  /// One sentence for each invalid element that was skipped.
  private(set) var faults: [String] = []

  init(from decoder: any Decoder) throws {
    let slots = try LenientSlots<Element>(from: decoder)
    elements = slots.elements
    faults = slots.faults(from: 0)
  }

  /// Decodes the JSON text of an array.
  init(json: [UInt8]) throws {
    var reader = ElementReader<Element>()
    try json.withUnsafeBytes { json in
      for start in stride(from: 0, to: json.count, by: LenientArray.step) {
        elements += try reader.take(
          UnsafeRawBufferPointer(rebasing: json[start...].prefix(LenientArray.step)))
      }
    }
    elements += try reader.finish()
    faults = reader.faults
  }

  /// The number of bytes added to the reader at a time, which bounds its buffer.
  private static var step: Int { 64 << 10 }
}

extension Error {
  /// A sentence about a decoding error that names the member; for any other error its description.
  var sentence: String { sentence(movedBy: 0) }

  /// Returns the same sentence for a piece of a list whose first element has the index `start`.
  func sentence(movedBy start: Int) -> String {
    guard let error = self as? DecodingError else { return "\(self)" }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(path(start, context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): return "\(path(start, context.codingPath)) is null"
    case .typeMismatch(let type, let context):
      return "\(path(start, context.codingPath)) is not of type \(type)"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty
        ? "it is not JSON" : "\(path(start, context.codingPath)): \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }

  private func path(_ start: Int, _ keys: [any CodingKey]) -> String {
    var text = ""
    for key in keys {
      if let index = key.intValue {
        text += "[\(text.isEmpty ? start + index : index)]"
      } else {
        text += "." + key.stringValue
      }
    }
    return text.hasPrefix(".") ? String(text.dropFirst()) : text.isEmpty ? "the document" : text
  }
}
