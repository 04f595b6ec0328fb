/// Spells character references and empty comments so that libxml2 reads them as the HTML standard does.
///
/// `<!-->` and `<!--->` are whole comments, `&#128;` to `&#159;` mean windows-1252, `&#` without a
/// number is text, and the names of HTML 2 and 3.2 need no semicolon. A name before a letter, a
/// digit or `=` stays as it is, because the standard reads it differently in text and in attributes.
/// Scripts and style sheets are copied unchanged. One pass; the result is at most three times as long.
struct ReferenceRepair {
  private let bytes: [UInt8]
  private var output: [UInt8] = []
  private var position = 0

  static func repaired(_ bytes: [UInt8]) -> [UInt8] {
    var repair = ReferenceRepair(bytes)
    return repair.run()
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func run() -> [UInt8] {
    output.reserveCapacity(bytes.count + bytes.count / 16)
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "<"): markup()
      case UInt8(ascii: "&"): reference()
      default: copy(1)
      }
    }
    return output
  }

  private mutating func markup() {
    if matches("<!-->") {
      replace(5, by: "<!---->")
    } else if matches("<!--->") {
      replace(6, by: "<!---->")
    } else if matches("<script") {
      copyRaw(until: "</script")
    } else if matches("<style") {
      copyRaw(until: "</style")
    } else {
      copy(1)
    }
  }

  private mutating func copyRaw(until end: StaticString) {
    repeat { copy(1) } while position < bytes.count && !matches(end)
  }

  private mutating func reference() {
    guard byte(1) == UInt8(ascii: "#") else { return namedReference() }
    let isHexadecimal = byte(2).map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
    let start = isHexadecimal ? 3 : 2
    var length = start
    var number = 0
    while let digit = byte(length).flatMap({ ReferenceRepair.digit($0, isHexadecimal) }) {
      number = min(number * (isHexadecimal ? 16 : 10) + digit, 0x11_0000)
      length += 1
    }
    guard length > start else { return replace(1, by: "&amp;") }
    guard let character = ReferenceRepair.windows1252[number] else { return copy(length) }
    if byte(length) == UInt8(ascii: ";") { length += 1 }
    replace(length, by: "&#\(character);")
  }

  private mutating func namedReference() {
    var length = 1
    while length < 8, let letter = byte(length), ReferenceRepair.isAlphanumeric(letter) {
      length += 1
    }
    let next = byte(length) ?? 0
    let isOpen =
      next != UInt8(ascii: ";") && next != UInt8(ascii: "=")
      && !ReferenceRepair.isAlphanumeric(next)
    let name = String(decoding: bytes[(position + 1)..<(position + length)], as: UTF8.self)
    copy(length)
    guard isOpen, ReferenceRepair.namesWithoutSemicolon.contains(name) else { return }
    output.append(UInt8(ascii: ";"))
  }

  private func byte(_ offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  /// Whether the bytes here are `text`, which is in lower case, in either case.
  private func matches(_ text: StaticString) -> Bool {
    guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
    for offset in 0..<text.utf8CodeUnitCount {
      let byte = bytes[position + offset]
      let lower = byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
      if lower != text.utf8Start[offset] { return false }
    }
    return true
  }

  private mutating func copy(_ count: Int) {
    output += bytes[position..<(position + count)]
    position += count
  }

  private mutating func replace(_ count: Int, by text: String) {
    output += text.utf8
    position += count
  }

  private static func digit(_ byte: UInt8, _ isHexadecimal: Bool) -> Int? {
    switch byte {
    case 0x30...0x39: Int(byte) - 0x30
    case 0x41...0x46, 0x61...0x66: isHexadecimal ? Int(byte | 0x20) - 0x57 : nil
    default: nil
    }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: false
    }
  }

  /// What the numbers 128 to 159 mean; five of them mean themselves.
  private static let windows1252: [Int: Int] = [
    0x80: 0x20AC, 0x82: 0x201A, 0x83: 0x0192, 0x84: 0x201E, 0x85: 0x2026, 0x86: 0x2020,
    0x87: 0x2021, 0x88: 0x02C6, 0x89: 0x2030, 0x8A: 0x0160, 0x8B: 0x2039, 0x8C: 0x0152,
    0x8E: 0x017D, 0x91: 0x2018, 0x92: 0x2019, 0x93: 0x201C, 0x94: 0x201D, 0x95: 0x2022,
    0x96: 0x2013, 0x97: 0x2014, 0x98: 0x02DC, 0x99: 0x2122, 0x9A: 0x0161, 0x9B: 0x203A,
    0x9C: 0x0153, 0x9E: 0x017E, 0x9F: 0x0178,
  ]

  private static let namesWithoutSemicolon: Set<String> = Set(
    """
    lt gt quot nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy \
    reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 \
    frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml \
    Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute \
    Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute \
    ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
    ugrave uacute ucirc uuml yacute thorn yuml amp
    """.split(separator: " ").map(String.init))
}
