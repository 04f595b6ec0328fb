import ArchiverCore

/// Writes a page's `source.json` while its blocks arrive, without signed addresses.
struct RecordWriter {
  private var text = JSONText()
  private let limit: Int
  private var blockCount = 0
  private var isFull = false
  private var comments: JSONValue?

  init(page: JSONValue, limit: Int) {
    self.limit = limit
    text.raw("{\"page\":")
    text.write(SignedAddress.removed(from: page))
    text.raw(",\"blocks\":[")
  }

  mutating func add(block: JSONValue) {
    guard text.bytes.count < limit else {
      isFull = true
      return
    }
    text.raw(blockCount > 0 ? ",\n" : "\n")
    text.write(SignedAddress.removed(from: block))
    blockCount += 1
  }

  mutating func add(comments: [JSONValue]) {
    self.comments = SignedAddress.removed(from: .array(comments))
  }

  var notes: [String] {
    isFull ? ["The source's record contains only the first \(blockCount) blocks."] : []
  }

  func finished() -> [UInt8] {
    var text = text
    text.raw("]")
    if let comments {
      text.raw(",\"comments\":")
      text.write(comments)
    }
    text.raw("}\n")
    return text.bytes
  }
}
