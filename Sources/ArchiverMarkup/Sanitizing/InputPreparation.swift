import ArchiverCore

/// Makes bytes fit for the parser: valid UTF-8 without BOM and NUL, no tag with absurdly many
/// attributes (libxml2 compares each attribute with all before it), wrapped so that the parser
/// starts inside the body.
///
/// The search for such tags starts afresh at every `<` followed by a letter, wherever it stands, so
/// no context can hide one. Where it errs, in a script or a comment, the only harm is an `<`
/// written as `&lt;` in something that is dropped.
struct InputPreparation {
  var limits: SanitizerLimits

  struct Prepared {
    var bytes: [UInt8]
    var oversizedTags: Int
  }

  func prepare(_ html: [UInt8], wrapping: Bool = true) throws(MarkupError) -> Prepared {
    guard html.count <= limits.inputBytes else {
      throw .limit(
        .tooLarge, "The HTML has \(html.count) bytes", .htmlSize, limits.inputBytes)
    }
    let clean = ReferenceRepair.repaired(InputPreparation.repaired(html))
    let oversized = try oversizedTags(clean)
    var bytes = [UInt8]()
    bytes.reserveCapacity(clean.count + 32 + oversized.count * 4)
    if wrapping { bytes += "<html><body>".utf8 }
    var copied = 0
    for position in oversized {
      bytes += clean[copied..<position]
      bytes += "&lt;".utf8
      copied = position + 1
    }
    bytes += clean[copied...]
    InputPreparation.closeWordBreaks(&bytes)
    return Prepared(bytes: bytes, oversizedTags: oversized.count)
  }

  /// Returns valid UTF-8 without a byte order mark and NUL characters.
  static func repaired(_ html: [UInt8]) -> [UInt8] {
    var bytes = html
    if bytes.contains(sequence: [0xEF, 0xBB, 0xBF]) { bytes = withoutByteOrderMarks(bytes) }
    if bytes.contains(0) { bytes.removeAll { $0 == 0 } }
    if String(validating: bytes, as: UTF8.self) == nil {
      bytes = Array(String(decoding: bytes, as: UTF8.self).utf8)
    }
    return bytes
  }

  /// Returns the bytes without U+FEFF, which means nothing inside a text since Unicode 3.2.
  private static func withoutByteOrderMarks(_ bytes: [UInt8]) -> [UInt8] {
    var result = [UInt8]()
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == 0xEF, bytes[index...].starts(with: [0xEF, 0xBB, 0xBF]) {
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  /// Writes `<wbr>` as `<wbr/>`: libxml2 does not know that it has no content.
  private static func closeWordBreaks(_ bytes: inout [UInt8]) {
    let tag = Array("<wbr>".utf8)
    guard bytes.contains(sequence: tag) else { return }
    var result = [UInt8]()
    result.reserveCapacity(bytes.count + bytes.count / 5)
    for (index, byte) in bytes.enumerated() {
      if byte == 0x3E, index >= 4, bytes[(index - 4)...index].elementsEqual(tag) {
        result.append(0x2F)
      }
      result.append(byte)
    }
    bytes = result
  }

  private func oversizedTags(_ bytes: [UInt8]) throws(MarkupError) -> [Int] {
    var found = [Int]()
    // Tags inside quoted values are looked at again, so the work is bounded instead of the input.
    var budget = 8 * bytes.count + 1_000_000
    bytes.withUnsafeBufferPointer { buffer in
      var start = 0
      while let position = buffer.index(of: UInt8(ascii: "<"), from: start),
        position + 1 < buffer.count, budget > 0
      {
        start = position + 1
        if isLetter(buffer[position + 1]) {
          var scan = TagScan(buffer: buffer, position: position + 1)
          let attributes = scan.countAttributes(limit: limits.attributesPerTag)
          budget -= scan.position - position
          if attributes > limits.attributesPerTag { found.append(position) }
        }
      }
    }
    guard budget > 0 else {
      throw MarkupError(.tooTangled, "The HTML has tags within tags that cannot be told apart")
    }
    return found
  }

  private func isLetter(_ byte: UInt8) -> Bool {
    (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
  }
}

/// Walks over one tag as libxml2 does and never counts fewer attributes than it would see.
private struct TagScan {
  let buffer: UnsafeBufferPointer<UInt8>
  var position: Int

  init(buffer: UnsafeBufferPointer<UInt8>, position: Int) {
    self.buffer = buffer
    self.position = position
  }

  /// Returns how many attributes the tag has, stopping just above `limit`.
  mutating func countAttributes(limit: Int) -> Int {
    var count = 0
    skip { !TagScan.isBoundary($0) }
    while position < buffer.count, count <= limit {
      let byte = buffer[position]
      if byte == UInt8(ascii: ">") { break }
      if TagScan.isBoundary(byte) {
        position += 1
      } else {
        count += 1
        attribute()
      }
    }
    return count
  }

  private mutating func attribute() {
    position += 1
    skip { !TagScan.isBoundary($0) && $0 != UInt8(ascii: "=") }
    skip { $0 <= 0x20 }
    guard position < buffer.count, buffer[position] == UInt8(ascii: "=") else { return }
    position += 1
    skip { $0 <= 0x20 }
    guard position < buffer.count else { return }
    let quote = buffer[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      position += 1
      skip { $0 != quote }
      position = min(position + 1, buffer.count)
    } else {
      skip { $0 > 0x20 && $0 != UInt8(ascii: ">") }
    }
  }

  private mutating func skip(_ condition: (UInt8) -> Bool) {
    while position < buffer.count, condition(buffer[position]) { position += 1 }
  }

  private static func isBoundary(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
  }
}

extension [UInt8] {
  fileprivate func contains(sequence: [UInt8]) -> Bool {
    guard let first = sequence.first else { return true }
    return withUnsafeBufferPointer { buffer in
      var start = 0
      while let index = buffer.index(of: first, from: start) {
        if buffer[index...].starts(with: sequence) { return true }
        start = index + 1
      }
      return false
    }
  }
}
