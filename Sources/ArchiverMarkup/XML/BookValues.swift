/// Values of `datetime` that the schema of books permits.
enum BookTime {
  private static let form = Pattern(
    #"""
    (?x) ^ (?:
      \d{4,}-\d\d-\d\d (?: [T\x20] \d\d:\d\d (?: :\d\d (?:\.\d{1,3})? )? (?: Z | [+-]\d\d:?\d\d )? )?
      | \d{4,}-\d\d | \d{4} | (?:--)?(?:0\d|1[0-2])-(?:[0-2]\d|3[01]) | \d\d:\d\d (?: :\d\d (?:\.\d{1,3})? )?
      | \d{4,}-W\d\d
    ) $
    """#)

  /// Returns a value with at most three digits of fractions; `nil` for invalid ones.
  static func valid(_ value: String) -> String? {
    var value = value
    if let point = value.firstIndex(of: ".") {
      let digits = value[value.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
      value = value[..<point] + "." + digits.prefix(3) + value[digits.endIndex...]
    }
    return value.withUTF8 { form.isFound(in: $0) } ? value : nil
  }
}

/// URLs that the schema of books permits (RFC 3986).
enum BookAddress {
  private static let allowed = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/?#@!$&'()*+,;=".utf8)

  /// A host that is neither a name without empty labels nor an IPv6 address.
  private static let badHost = Pattern(
    #"""
    (?x) (?(DEFINE) (?<label> [^\s.:/?#%\[\]<>^|\\]++ ) (?<end> [:/?#] | $ ) )
    ^ (?i: https? | ftp) :// (?: [^/?#@]* @ )?+
    (?! \[ [0-9a-fA-F:.]++ \] (?&end) | (?&label) (?: \. (?&label) )*+ \.? (?&end) )
    """#)

  private static let authority = Pattern(#"^[A-Za-z][A-Za-z0-9+.-]*+://[^/?#]*+"#)

  /// Returns the URL with other ASCII characters encoded, and with a second `#`. Browsers read it as
  /// the same. `nil` if its host is invalid.
  static func valid(_ address: String) -> String? {
    let bytes = Array(address.utf8)
    if bytes.withUnsafeBufferPointer({ badHost.isFound(in: $0) }) { return nil }
    var authorityEnd = 0
    bytes.withUnsafeBufferPointer {
      authority.matches(in: $0) { authorityEnd = $0.range.upperBound }
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var hasFragment = false
    for (index, byte) in bytes.enumerated() {
      let isKept =
        switch byte {
        case 0x23: !hasFragment
        case 0x25: isTriplet(bytes[(index + 1)...])
        // Around an IPv6 address.
        case 0x5B, 0x5D: index < authorityEnd
        default: byte >= 0x80 || allowed.contains(byte)
        }
      if byte == 0x23 { hasFragment = true }
      if isKept { result.append(byte) } else { result += PercentEncoding.triplet(byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isTriplet(_ rest: ArraySlice<UInt8>) -> Bool {
    PercentEncoding.digit(rest.first) != nil && PercentEncoding.digit(rest.dropFirst().first) != nil
  }
}
