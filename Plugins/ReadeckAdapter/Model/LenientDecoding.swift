import ArchiverCore

extension KeyedDecodingContainer {
  /// Returns the member when it is there and of the type, otherwise `nil`.
  ///
  /// Versions of Readeck leave members out, send `null` or change a type; none of that may cost
  /// the user an item.
  func lenient<T: Decodable>(_ key: Key, as type: T.Type = T.self) -> T? {
    // The thrown error would only say that the member is of another type.
    (try? decodeIfPresent(type, forKey: key)) ?? nil
  }
}

/// An array whose broken elements are left out and counted.
struct LenientArray<Element: Decodable & Sendable>: Decodable, Sendable {
  private(set) var elements: [Element] = []
  /// What was wrong with the elements left out, a sentence each.
  private(set) var faults: [String] = []

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd {
      let index = container.currentIndex
      let slot = try container.decode(Slot.self)
      switch slot.outcome {
      case .success(let element): elements.append(element)
      case .failure(let error): faults.append("element \(index): \(error.sentence)")
      }
    }
  }

  /// Returns the elements, of which it has none any more.
  mutating func takeElements() -> [Element] {
    defer { elements = [] }
    return elements
  }

  /// Decodes the JSON text of an array; of a long one some elements at a time, as decoding takes several
  /// times the memory of what is decoded.
  init(json: [UInt8]) throws {
    do {
      self = try LenientArray(pieces: JSONPieces.ranges(json), of: json)
    } catch {
      // What is wrong is told of the whole, where it is.
      self = try JSONDecoder().decode(LenientArray.self, from: Data(json))
    }
  }

  private init(pieces: [Range<Int>], of json: [UInt8]) throws {
    for range in pieces {
      let piece = Data([UInt8(ascii: "[")]) + json[range] + [UInt8(ascii: "]")]
      let part = try JSONDecoder().decode(LenientArray.self, from: piece)
      guard part.faults.isEmpty else { throw JSONPieces.NoArray() }
      elements += part.elements
    }
  }

  /// Decodes without throwing, so that the array's decoder moves on.
  private struct Slot: Decodable {
    let outcome: Result<Element, any Error>

    init(from decoder: any Decoder) throws {
      outcome = Result { try Element(from: decoder) }
    }
  }
}

extension Error {
  /// What is wrong with a document, naming the member; for any other error its description.
  var sentence: String {
    guard let error = self as? DecodingError else { return "\(self)" }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(path(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context): return "\(path(context.codingPath)) is null"
    case .typeMismatch(let type, let context):
      return "\(path(context.codingPath)) is not of type \(type)"
    case .dataCorrupted(let context):
      return context.codingPath.isEmpty
        ? "it is not JSON" : "\(path(context.codingPath)): \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }

  private func path(_ keys: [any CodingKey]) -> String {
    var text = ""
    for key in keys {
      if let index = key.intValue { text += "[\(index)]" } else { text += "." + key.stringValue }
    }
    return text.hasPrefix(".") ? String(text.dropFirst()) : text.isEmpty ? "the document" : text
  }
}
