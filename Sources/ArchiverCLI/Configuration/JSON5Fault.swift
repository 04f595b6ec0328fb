import ArchiverCore

/// The position and description of a syntax error in JSON5 (json5.org).
///
/// The decoder reports only that a text is invalid; this finds the position. It never quotes the
/// text, which may contain secrets. A text in which it finds nothing may still be invalid.
struct JSON5Fault: Error, Hashable {
  /// The number of the line, from 1.
  let line: Int
  /// The error in that line.
  let reason: String

  /// Returns the first error of a text; `nil` if none is found.
  static func first(in text: some Sequence<UInt8>) -> JSON5Fault? {
    var reader = Reader(bytes: Array(text))
    do throws(JSON5Fault) {
      try reader.document()
      return nil
    } catch {
      return error
    }
  }

  private struct Reader {
    let bytes: [UInt8]
    var at = 0
    /// The end of the last token other than white space and comments.
    var end = 0

    private static let deepest = 256

    mutating func document() throws(JSON5Fault) {
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
      try skip()
      guard at < bytes.count else { throw fault("the file is empty", at: end) }
      try value(depth: 0)
      try skip()
      if at < bytes.count { throw fault("nothing may follow after the last bracket", at: at) }
    }

    private mutating func value(depth: Int) throws(JSON5Fault) {
      guard depth < Reader.deepest else { throw fault("brackets are nested too deeply", at: at) }
      switch peek {
      case UInt8(ascii: "{"): try object(depth: depth)
      case UInt8(ascii: "["): try array(depth: depth)
      case UInt8(ascii: "\""), UInt8(ascii: "'"): try string()
      default: try word()
      }
    }

    private mutating func object(depth: Int) throws(JSON5Fault) {
      let open = at
      try members(until: "}", open: open) { (reader) throws(JSON5Fault) in
        try reader.name()
        try reader.skip()
        guard reader.peek == UInt8(ascii: ":") else {
          throw reader.fault("a colon is missing after a name", at: reader.end)
        }
        reader.take()
        try reader.skip()
        try reader.value(depth: depth + 1)
      }
    }

    private mutating func array(depth: Int) throws(JSON5Fault) {
      try members(until: "]", open: at) { (reader) throws(JSON5Fault) in
        try reader.value(depth: depth + 1)
      }
    }

    /// Reads the comma-separated members between brackets.
    private mutating func members(
      until close: Unicode.Scalar, open: Int,
      _ member: (inout Reader) throws(JSON5Fault) -> Void
    ) throws(JSON5Fault) {
      take()
      try skip()
      while peek != UInt8(ascii: close) {
        try closes(open, with: close)
        try member(&self)
        try skip()
        if peek == UInt8(ascii: close) { break }
        try closes(open, with: close)
        guard peek == UInt8(ascii: ",") else {
          throw fault("a comma or \(close) is missing at the end", at: end)
        }
        take()
        try skip()
      }
      take()
    }

    private func closes(_ open: Int, with close: Unicode.Scalar) throws(JSON5Fault) {
      if at >= bytes.count {
        throw fault("the \(close) of the bracket opened here is missing", at: open)
      }
    }

    private mutating func name() throws(JSON5Fault) {
      if peek == UInt8(ascii: "\"") || peek == UInt8(ascii: "'") { return try string() }
      let start = at
      while let byte = peek, Reader.isWord(byte) || byte == UInt8(ascii: "\\") { take() }
      if at == start { throw fault("a name is missing", at: at) }
      let needsQuotes = "a name with characters other than letters, digits and _ needs quotes"
      if (0x30...0x39).contains(bytes[start]) { throw fault(needsQuotes, at: start) }
      if let byte = peek, [0x2D, 0x2E, 0x2F, 0x40].contains(byte), !isComment {
        throw fault(needsQuotes, at: start)
      }
    }

    private mutating func string() throws(JSON5Fault) {
      let start = at
      let quote = bytes[at]
      at += 1
      while at < bytes.count, bytes[at] != quote {
        if bytes[at] == UInt8(ascii: "\n") { break }
        at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
      }
      guard at < bytes.count, bytes[at] == quote else {
        throw fault("a quote is not closed", at: start)
      }
      take()
    }

    /// Reads a number, `true`, `false` or `null`.
    private mutating func word() throws(JSON5Fault) {
      let start = at
      while let byte = peek, Reader.isWord(byte) || [0x2B, 0x2D, 0x2E].contains(byte) { take() }
      if at == start { throw fault("a value is missing", at: end) }
      let unsigned = bytes[start..<at].drop { $0 == 0x2B || $0 == 0x2D }
      let isNumber = unsigned.first.map { (0x30...0x39).contains($0) || $0 == 0x2E } ?? false
      let literals = ["true", "false", "null", "NaN", "Infinity"]
      guard isNumber || literals.contains(where: { unsigned.elementsEqual($0.utf8) }) else {
        throw fault("a text needs quotes", at: start)
      }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x5F, 0x80...0xFF: true
      default: false
      }
    }

    private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    private var isComment: Bool {
      peek == UInt8(ascii: "/") && at + 1 < bytes.count
        && [UInt8(ascii: "/"), UInt8(ascii: "*")].contains(bytes[at + 1])
    }

    private mutating func take() {
      at += 1
      end = at
    }

    /// Skips white space and comments.
    private mutating func skip() throws(JSON5Fault) {
      while let byte = peek {
        if [0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D].contains(byte) {
          at += 1
        } else if byte == 0xC2, at + 1 < bytes.count, bytes[at + 1] == 0xA0 {
          at += 2
        } else if isComment {
          try comment()
        } else {
          return
        }
      }
    }

    private mutating func comment() throws(JSON5Fault) {
      let start = at
      guard bytes[at + 1] == UInt8(ascii: "*") else {
        at = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        return
      }
      at += 2
      while at + 1 < bytes.count, bytes[at] != UInt8(ascii: "*") || bytes[at + 1] != 0x2F {
        at += 1
      }
      guard at + 1 < bytes.count else { throw fault("a comment is not closed", at: start) }
      at += 2
    }

    private func fault(_ reason: String, at place: Int) -> JSON5Fault {
      let before = bytes[..<min(place, bytes.count)]
      return JSON5Fault(line: 1 + before.count { $0 == UInt8(ascii: "\n") }, reason: reason)
    }
  }
}
