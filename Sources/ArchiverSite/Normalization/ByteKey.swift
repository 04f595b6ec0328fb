import ArchiverCore

/// A string as a key of dictionaries and sets, compared by its UTF-8 bytes.
///
/// Swift compares strings by canonical equivalence, whereas an index sorts, counts and writes
/// bytes; with strings as keys, two terms of the index could be one key.
struct ByteKey: Hashable, Sendable, Comparable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  static func == (one: ByteKey, other: ByteKey) -> Bool {
    ByteKey.compare(one.text, other.text) == 0
  }

  static func < (one: ByteKey, other: ByteKey) -> Bool {
    ByteKey.compare(one.text, other.text) < 0
  }

  /// Compares two strings by their bytes: negative if `one` is first, 0 if they are equal.
  static func compare(_ one: String, _ other: String) -> Int {
    withBytes(of: one) { first in
      withBytes(of: other) { second in
        guard let start = first.baseAddress, let otherStart = second.baseAddress else {
          return first.count - second.count
        }
        let order = memcmp(start, otherStart, min(first.count, second.count))
        return order == 0 ? first.count - second.count : Int(order)
      }
    }
  }

  private static func withBytes<Value>(
    of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    if let value = text.utf8.withContiguousStorageIfAvailable(body) { return value }
    return Array(text.utf8).withUnsafeBufferPointer(body)
  }

  func hash(into hasher: inout Hasher) {
    ByteKey.withBytes(of: text) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
