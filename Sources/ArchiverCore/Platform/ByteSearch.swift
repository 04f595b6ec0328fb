extension UnsafeBufferPointer<UInt8> {
  /// Returns the index of the first occurrence of a byte at or after `start`; `nil` if there is
  /// none. Uses memchr, which examines many bytes at once.
  package func index(of byte: UInt8, from start: Int) -> Int? {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, Int32(byte), count - start)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}

extension [UInt8] {
  /// Returns the index of the first occurrence of a pattern at or after `start`; `nil` if there is
  /// none.
  package func firstIndex(of pattern: some StringProtocol, from start: Int = 0) -> Int? {
    let pattern = [UInt8](pattern.utf8)
    guard start <= count, !pattern.isEmpty else { return nil }
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var position = start
      // memchr finds candidates at memory speed; not every C library declares memmem.
      while position + pattern.count <= bytes.count {
        let room = bytes.count - pattern.count + 1 - position
        guard let match = memchr(base + position, Int32(pattern[0]), room) else { return nil }
        position = UnsafeRawPointer(match) - base
        if memcmp(base + position, pattern, pattern.count) == 0 { return position }
        position += 1
      }
      return nil
    }
  }

  /// Returns the bytes with every occurrence of a pattern replaced.
  package func replacing(_ pattern: String, with replacement: String) -> [UInt8] {
    guard var match = firstIndex(of: pattern) else { return self }
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var position = 0
    while true {
      result += self[position..<match]
      result += replacement.utf8
      position = match + pattern.utf8.count
      guard let next = firstIndex(of: pattern, from: position) else { break }
      match = next
    }
    return result + self[position...]
  }
}
