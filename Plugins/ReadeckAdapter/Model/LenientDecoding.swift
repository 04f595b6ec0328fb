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

  /// Bytes given to the reader at a time, which bounds what it holds beside its result.
  private static var step: Int { 64 << 10 }
}

extension Error {
  /// What is wrong with a document, naming the member; for any other error its description.
  var sentence: String { sentence(movedBy: 0) }

  /// The same for a chunk of a list whose first element has the index `start`.
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
