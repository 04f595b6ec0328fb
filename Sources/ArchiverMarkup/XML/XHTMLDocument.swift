import ArchiverCore

/// Parses a document of a book: as XML if it is well-formed, otherwise as HTML.
///
/// The result is not sanitised.
package enum XHTMLDocument {
  /// Parses a document in its declared encoding.
  ///
  /// Named characters such as `&nbsp;` need no DTD, and entities that the document declares are
  /// replaced. `isWellFormed` tells which parser was used.
  package static func parse(
    _ bytes: [UInt8], limits: XMLLimits = XMLLimits()
  ) throws(MarkupError) -> (document: XMLDocument, isWellFormed: Bool) {
    guard let bytes = XMLEntities.expanded(bytes) else {
      throw MarkupError(.tooLarge, "its entities are too long")
    }
    do throws(MarkupError) {
      let document = try XMLDocument(numbered(bytes), limits: limits)
      if !document.declaresEntities { return (document, true) }
    } catch  where error.code == .tooLarge {
      throw error
    } catch {
      // Not well-formed: the HTML parser follows.
    }
    return (try HTMLDocument.parse(utf8(bytes), limits: .widest), false)
  }

  private static let cdata = Array("<![CDATA[".utf8)

  /// Replaces named character references by numeric ones, which need no DTD. References to what nothing declares
  /// become text: a parser would leave them out.
  private static func numbered(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0x26) else { return bytes }
    var result = [UInt8]()
    result.reserveCapacity(bytes.count + bytes.count / 16)
    var index = 0
    var textEnd = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x26, index >= textEnd {
        if let (text, length) = named(bytes[index...]) {
          for scalar in text.unicodeScalars { result += "&#\(scalar.value);".utf8 }
          index += length
          continue
        }
        result += isUndeclared(bytes[index...]) ? Array("&amp;".utf8) : [byte]
      } else {
        if byte == 0x3C, index >= textEnd, bytes[index...].starts(with: cdata) {
          textEnd = bytes.firstIndex(of: "]]>", from: index) ?? bytes.count
        }
        result.append(byte)
      }
      index += 1
    }
    return result
  }

  /// Whether a `&` begins a reference by a name that XML does not have itself.
  private static func isUndeclared(_ bytes: ArraySlice<UInt8>) -> Bool {
    let name = bytes.dropFirst().prefix(100).prefix {
      (0x30...0x3A).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 >= 0x80
        || [0x2D, 0x2E, 0x5F].contains($0)
    }
    guard let first = name.first, !(0x2D...0x39).contains(first) else { return false }
    return bytes.dropFirst(name.count + 1).first == 0x3B
      && !builtIn.contains(String(decoding: name, as: UTF8.self))
  }

  /// The length of "CounterClockwiseContourIntegral".
  private static let longestName = 31
  private static let builtIn: Set<String> = ["amp", "lt", "gt", "quot", "apos"]

  /// Returns the characters of a reference at the start, and its length.
  static func named(_ bytes: ArraySlice<UInt8>) -> (text: String, length: Int)? {
    let name = bytes.dropFirst().prefix(longestName).prefix {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
    }
    guard !name.isEmpty, bytes.dropFirst(name.count + 1).first == 0x3B,
      !builtIn.contains(String(decoding: name, as: UTF8.self))
    else { return nil }
    let reference = bytes.dropFirst().prefix(name.count + 1)
    return reference.withUnsafeBufferPointer { buffer in
      guard let match = HTMLCharacterReferences.all.match(buffer), match.count == buffer.count
      else { return nil }
      return (String(decoding: match.text, as: UTF8.self), buffer.count + 1)
    }
  }

  /// Returns the document as UTF-8 without its XML declaration, which HTML does not have.
  static func utf8(_ bytes: [UInt8]) -> [UInt8] {
    let text = decoded(bytes)
    let start = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard start.starts(with: "<?xml".utf8), let end = start.firstIndex(of: 0x3E) else {
      return text
    }
    return Array(start[(end + 1)...])
  }

  /// Returns the text with U+FFFD for invalid bytes, if fewer characters are invalid than are valid in
  /// UTF-8 and not in ASCII; `nil` otherwise, as the text is in another encoding.
  private static func mostlyUTF8(_ bytes: [UInt8]) -> [UInt8]? {
    let text = String(decoding: bytes, as: UTF8.self)
    let (valid, invalid) = text.unicodeScalars.reduce(into: (0, 0)) { counts, scalar in
      if scalar == "\u{FFFD}" {
        counts.1 += 1
      } else if !scalar.isASCII {
        counts.0 += 1
      }
    }
    return invalid < valid ? Array(text.utf8) : nil
  }

  private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Array(bytes.dropFirst(3)) }
    if String(validating: bytes, as: UTF8.self) != nil { return bytes }
    if let declared = DeclaredEncoding.utf8(bytes) { return declared }
    if let text = mostlyUTF8(bytes) { return text }
    // Without a declaration, text that is not UTF-8 is assumed to be windows-1252, as in nearly
    // every old book.
    var result = [UInt8]()
    result.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        result.append(byte)
        continue
      }
      HTMLCharacterReferences.append(HTMLCharacterReferences.codePoint(UInt32(byte)), to: &result)
    }
    return result
  }
}
