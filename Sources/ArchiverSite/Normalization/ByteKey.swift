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
    one.text.utf8.count == other.text.utf8.count && one.text.utf8.elementsEqual(other.text.utf8)
  }

  static func < (one: ByteKey, other: ByteKey) -> Bool {
    one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
