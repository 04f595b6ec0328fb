/// Text and URLs in the syntax of CommonMark, GitHub's tables and Obsidian's extensions.
enum MarkdownText {
  /// Returns text escaped so that it is literal anywhere in a paragraph.
  ///
  /// - Parameter linksAddresses: Whether a bare URL may become a link.
  static func escaped(_ text: some StringProtocol, linksAddresses: Bool = true) -> String {
    guard text.utf8.contains(where: { special[Int($0)] }) else { return String(text) }
    let scalars = Array(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    var index = 0
    while index < scalars.count {
      if let end = address(scalars, index) {
        if linksAddresses, scalars[index..<end].allSatisfy(isPlainInAddress) {
          result.append(contentsOf: scalars[index..<end])
          index = end
          continue
        }
        // With this backslash, no program recognises the URL.
        let mark = scalars[index...].firstIndex { $0 == ":" || $0 == "." } ?? index
        result.append(contentsOf: scalars[index..<mark])
        result.append("\\")
        result.append(scalars[mark])
        index = mark + 1
        continue
      }
      if needsEscape(scalars, index) { result.append("\\") }
      result.append(scalars[index])
      index += 1
    }
    return String(result)
  }

  private static let special: [Bool] = {
    var table = [Bool](repeating: false, count: 256)
    for byte in "\\`*_[]<|~$&=%#!:.".utf8 { table[Int(byte)] = true }
    return table
  }()

  private static func needsEscape(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
    let before = index > 0 ? scalars[index - 1] : nil
    let after = index + 1 < scalars.count ? scalars[index + 1] : nil
    switch scalars[index] {
    case "\\", "`", "*", "[", "]", "<", "|", "~", "$": return true
    case "_": return !(isWord(before) && isWord(after))
    case "&": return after.map { $0 == "#" || $0.isASCII && $0.properties.isAlphabetic } ?? false
    case "=", "%": return before == scalars[index] || after == scalars[index] || after == nil
    case "#": return !isWord(before) && after.map { !$0.properties.isWhitespace } ?? true
    case "!": return after == nil
    default: return false
    }
  }

  private static func isWord(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return false }
    return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  /// Returns the end of a URL that programs turn into a link.
  private static func address(_ scalars: [Unicode.Scalar], _ index: Int) -> Int? {
    guard index == 0 || !isWord(scalars[index - 1]) else { return nil }
    let starts = ["http://", "https://", "ftp://", "www."]
    let isAddress = starts.contains { start in
      let part = scalars[index...].prefix(start.unicodeScalars.count)
      return String(String.UnicodeScalarView(part)).lowercased() == start
    }
    guard isAddress else { return nil }
    return scalars[index...].firstIndex { $0.properties.isWhitespace } ?? scalars.count
  }

  private static func isPlainInAddress(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-._/:?=%+#&@,".unicodeScalars.contains(scalar))
  }

  /// Returns a line escaped so that it does not begin a list, heading, quote or another block.
  static func escapedStart(_ line: String) -> String {
    guard let first = line.utf8.first else { return line }
    switch first {
    case UInt8(ascii: "#"), UInt8(ascii: ">"), UInt8(ascii: "-"), UInt8(ascii: "+"),
      UInt8(ascii: "="), UInt8(ascii: ":"):
      return "\\" + line
    case 0x30...0x39:
      let digits = line.prefix { $0.isASCII && $0.isNumber }
      guard digits.count <= 9, let mark = line.dropFirst(digits.count).first,
        mark == "." || mark == ")"
      else { return line }
      return "\(digits)\\\(line.dropFirst(digits.count))"
    default: return line
    }
  }

  /// Returns a link; addresses in its text stay text.
  static func link(_ text: String, to address: String) -> String {
    "[\(escaped(text, linksAddresses: false))](\(destination(address)))"
  }

  /// Returns the destination of a link or an image.
  static func destination(_ address: String) -> String {
    var result = ""
    for scalar in address.unicodeScalars {
      switch scalar {
      case "|": result += "%7C"
      case "<": result += "%3C"
      case ">": result += "%3E"
      case "\\": result += "%5C"
      case " ": result += "%20"
      case "\n", "\r", "\t": break
      // In a destination, an ampersand would begin a character reference.
      case "&": result += "&amp;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    let hasBrackets = result.contains("(") || result.contains(")")
    return hasBrackets || result.isEmpty ? "<\(result)>" : result
  }

  /// Returns the URL of a file of the vault, relative to another file.
  static func relative(_ path: String, from file: String) -> String {
    var target = path.split(separator: "/")[...]
    var base = file.split(separator: "/").dropLast()
    while target.count > 1, let first = base.first, first == target.first {
      target.removeFirst()
      base.removeFirst()
    }
    let parts = base.map { _ in ".." as Substring } + target
    return parts.map(encodedName).joined(separator: "/")
  }

  private static func encodedName(_ name: some StringProtocol) -> String {
    let hex = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in name.utf8 {
      let isPlain =
        byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
        || "-._,'!=+@".utf8.contains(byte)
      if isPlain {
        bytes.append(byte)
      } else {
        bytes += [0x25, hex[Int(byte >> 4)], hex[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a code span; its text is on one line.
  static func code(_ text: String, inTable: Bool) -> String {
    let fence = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
    let touches = text.hasPrefix("`") || text.hasSuffix("`")
    let isSpaced = text.hasPrefix(" ") && text.hasSuffix(" ") && text.contains { $0 != " " }
    let inner = touches || isSpaced ? " \(text) " : text
    let span = fence + inner + fence
    return inTable ? String(span.flatMap { $0 == "|" ? "\\|" : String($0) }) : span
  }

  static func longestRun(of character: Character, in text: String) -> Int {
    var longest = 0
    var run = 0
    for next in text {
      run = next == character ? run + 1 : 0
      longest = max(longest, run)
    }
    return longest
  }
}

extension StringProtocol {
  /// The words with one space between them.
  var oneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
