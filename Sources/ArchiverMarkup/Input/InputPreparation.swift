import ArchiverCore

/// Makes bytes fit for the parser: not too many, valid UTF-8, without U+FEFF.
enum InputPreparation {
  /// Returns the bytes that the parser reads; throws where there are more than the limit.
  static func prepare(
    _ html: [UInt8], limits: SanitizerLimits
  ) throws(MarkupError) -> [UInt8] {
    guard html.count <= limits.inputBytes else {
      throw .limit(
        .tooLarge, "the HTML has \(html.count) bytes", .htmlSize, limits.inputBytes)
    }
    return repaired(html)
  }

  /// Returns valid UTF-8 without U+FEFF, which means nothing inside a text since Unicode 3.2. What is not
  /// UTF-8 is read by the encoding that it declares.
  static func repaired(_ html: [UInt8]) -> [UInt8] {
    let isValid = String(validating: html, as: UTF8.self) != nil
    if !isValid || DeclaredEncoding.isShifted(html), let decoded = DeclaredEncoding.utf8(html) {
      return withoutByteOrderMarks(decoded)
    }
    let bytes = withoutByteOrderMarks(html)
    return isValid ? bytes : Array(String(decoding: bytes, as: UTF8.self).utf8)
  }

  static func withoutByteOrderMarks(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { buffer in
      guard var mark = nextByteOrderMark(buffer, from: 0) else { return bytes }
      var result = [UInt8]()
      result.reserveCapacity(buffer.count)
      var copied = 0
      while true {
        result += buffer[copied..<mark]
        copied = mark + 3
        guard let next = nextByteOrderMark(buffer, from: copied) else { break }
        mark = next
      }
      result += buffer[copied...]
      return result
    }
  }

  /// Returns where U+FEFF stands next.
  static func nextByteOrderMark(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var start = start
    while let index = bytes.index(of: 0xEF, from: start) {
      if index + 2 < bytes.count, bytes[index + 1] == 0xBB, bytes[index + 2] == 0xBF {
        return index
      }
      start = index + 1
    }
    return nil
  }
}
