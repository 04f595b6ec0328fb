@testable import ArchiverMarkup

/// The tokens of HTML as text, separated by ` ¦ `; adjacent text is one token in quotation marks.
struct HTMLTokenText {
  private var tokens: [String] = []
  private var words = ""

  /// Returns the tokens; `␀` is a NUL. Raw text ends at the end tag of `element`.
  static func tokens(
    of html: String, in content: HTMLTokenizer.Content = .data, element: String? = nil,
    allowsCDATA: Bool = false
  ) -> String {
    let bytes = Array(html.replacing("␀", with: "\0").utf8)
    return bytes.withUnsafeBufferPointer { input in
      var tokenizer = HTMLTokenizer(input, names: HTMLNames.known)
      tokenizer.content = content
      if allowsCDATA { tokenizer.allowsCDATA = true }
      if let element { tokenizer.lastStartTag = tokenizer.names.id(Array(element.utf8)) }
      var text = HTMLTokenText()
      while text.add(tokenizer.next(), tokenizer) {}
      return text.tokens.joined(separator: " ¦ ")
    }
  }

  /// Adds a token; returns false at the end.
  private mutating func add(
    _ token: HTMLTokenizer.Token, _ tokenizer: borrowing HTMLTokenizer
  ) -> Bool {
    if token == .text {
      words += Self.string(tokenizer.slice, tokenizer)
      return true
    }
    if !words.isEmpty { tokens.append("\"\(words)\"") }
    words = ""
    let name = tokenizer.names.string(tokenizer.name)
    switch token {
    case .end: return false
    case .text: break
    case .nul: tokens.append("NUL")
    case .comment: tokens.append("<!--\(Self.string(tokenizer.slice, tokenizer))-->")
    case .endTag: tokens.append("</\(name)>")
    case .startTag:
      var tag = "<" + name
      for attribute in tokenizer.attributes {
        let value = Self.string(attribute.value, tokenizer)
        tag += " " + tokenizer.names.string(attribute.name) + "=\"" + value + "\""
      }
      tokens.append(tag + (tokenizer.isSelfClosing ? "/>" : ">"))
    case .doctype: tokens.append(Self.doctype(tokenizer))
    }
    return true
  }

  private static func doctype(_ tokenizer: borrowing HTMLTokenizer) -> String {
    let name = tokenizer.hasDoctypeName ? string(tokenizer.slice, tokenizer) : "-"
    let first = identifier(tokenizer.publicIdentifier, tokenizer)
    let second = identifier(tokenizer.systemIdentifier, tokenizer)
    let end = tokenizer.forcesQuirks ? " quirks>" : ">"
    return "<!DOCTYPE \(name) \(first) \(second)\(end)"
  }

  private static func identifier(
    _ slice: HTMLSlice?, _ tokenizer: borrowing HTMLTokenizer
  ) -> String {
    guard let slice else { return "-" }
    return "'\(string(slice, tokenizer))'"
  }

  private static func string(
    _ slice: HTMLSlice, _ tokenizer: borrowing HTMLTokenizer
  ) -> String {
    var bytes: [UInt8] = []
    for index in slice.start..<(slice.start + slice.count) {
      bytes.append(
        index < tokenizer.count ? tokenizer.input[index] : tokenizer.side[index - tokenizer.count])
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
