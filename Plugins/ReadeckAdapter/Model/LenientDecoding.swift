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
    guard let list = value(key, as: LenientArray<String>.self) else { return [] }
    if list.elements.count < list.count { note(key) }
    return list.elements
  }

  private mutating func note(_ key: Key) {
    if !unreadable.contains(key.stringValue) { unreadable.append(key.stringValue) }
  }
}

/// An array whose invalid elements are skipped and counted.
struct LenientArray<Element: Decodable & Sendable>: Decodable, Sendable {
  private(set) var elements: [Element] = []
  private var failures: [(index: Int, error: any Error)] = []

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      switch try container.decode(Slot.self).outcome {
      case .success(let element): elements.append(element)
      case .failure(let error): failures.append((count, error))
      }
    }
  }

  /// The number of elements, with those that were skipped.
  var count: Int { elements.count + failures.count }

  /// One sentence for each invalid element that was skipped.
  var faults: [String] { faults(from: 0) }

  /// Returns these sentences for an array that is a piece of another one, where its first element has the index
  /// `start`.
  func faults(from start: Int) -> [String] {
    failures.map { "element \(start + $0.index): \($0.error.sentence(movedBy: start))" }
  }

  /// Decodes without throwing, so that the array's decoder continues with the next element.
  private struct Slot: Decodable {
    let outcome: Result<Element, any Error>

    init(from decoder: any Decoder) throws {
      outcome = Result { try Element(from: decoder) }
    }
  }
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
