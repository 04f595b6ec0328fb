import ArchiverCore

/// Decodes pages in other encodings than UTF-8 by their declaration.
enum DeclaredEncoding {
  private static let declaration = Pattern(
    #"(?i)<meta\s[^>]*?charset\s*=\s*["']?\s*([a-z0-9_:.-]+)|<\?xml\s[^>]*?encoding\s*=\s*["']([a-z0-9_.-]+)"#
  )
  /// Labels for which the standard uses another encoding (Encoding Standard section 4.2), or the C
  /// library another name.
  private static let others: [String: String] = [
    "iso-8859-1": "CP1252", "latin1": "CP1252", "l1": "CP1252", "us-ascii": "CP1252",
    "ascii": "CP1252", "iso8859-1": "CP1252", "iso-8859-9": "CP1254", "latin5": "CP1254",
    "iso-8859-11": "CP874", "tis-620": "CP874", "gb2312": "GB18030", "gbk": "GB18030",
    "x-gbk": "GB18030", "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932",
    "x-sjis": "CP932", "windows-31j": "CP932", "euc-kr": "CP949", "ks_c_5601-1987": "CP949",
    "big5": "BIG5-HKSCS", "x-euc-jp": "EUC-JP", "x-mac-roman": "MACINTOSH",
    "macintosh": "MACINTOSH",
  ]

  /// Returns the text in UTF-8; `nil` without a supported declaration.
  ///
  /// A byte order mark has precedence over a declaration, which must be in the first kilobyte.
  static func utf8(_ bytes: [UInt8]) -> [UInt8]? {
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      return sixteenBit(bytes)
    }
    guard let label = label(bytes), !["utf-8", "utf8"].contains(label) else { return nil }
    if label.hasPrefix("windows-") { return converted(bytes, from: "CP" + label.dropFirst(8)) }
    return converted(bytes, from: others[label] ?? label.uppercased())
  }

  /// Whether text declares this seven-bit encoding, whose bytes are valid UTF-8 too.
  static func isShifted(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { $0.index(of: 0x1B, from: 0) } != nil
      && label(bytes) == "iso-2022-jp"
  }

  private static func label(_ bytes: [UInt8]) -> String? {
    bytes.prefix(1_024).withUnsafeBufferPointer { head in
      var found: String?
      declaration.matches(in: head) { match in
        guard found == nil, let range = match[1] ?? match[2] else { return }
        found = String(decoding: head[range], as: UTF8.self).lowercased()
      }
      return found
    }
  }

  private static func sixteenBit(_ bytes: [UInt8]) -> [UInt8] {
    let isLittle = bytes[0] == 0xFF
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map { index -> UInt16 in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// Converts bytes with the C library, with U+FFFD for invalid ones; `nil` if it does not support
  /// the encoding.
  static func converted(_ bytes: [UInt8], from encoding: String) -> [UInt8]? {
    #if canImport(Glibc)
      guard let converter = iconv_open("UTF-8", encoding), Int(bitPattern: converter) != -1 else {
        return nil
      }
      defer { iconv_close(converter) }
      var result: [UInt8] = []
      result.reserveCapacity(bytes.count * 2)
      var input = bytes.map { CChar(bitPattern: $0) }
      var piece = [CChar](repeating: 0, count: 16_384)
      input.withUnsafeMutableBufferPointer { input in
        var next = input.baseAddress
        var left = input.count
        while left > 0 {
          let size = piece.count
          let (failed, written) = piece.withUnsafeMutableBufferPointer { piece in
            var (out, room) = (piece.baseAddress, size)
            let outcome = iconv(converter, &next, &left, &out, &room)
            result += piece.prefix(size - room).map { UInt8(bitPattern: $0) }
            return (outcome == .max && errno != E2BIG, size - room)
          }
          if failed || written == 0 {
            result += [0xEF, 0xBF, 0xBD]
            guard left > 0 else { break }
            next = next.map { $0 + 1 }
            left -= 1
          }
        }
      }
      return result
    #else
      return nil
    #endif
  }
}
