import CXML2

/// A parsed HTML page for looking things up in it, such as its title or links.
///
/// It is not sanitised; nothing of it may reach a page but through `HTMLSanitizer`.
package enum HTMLDocument {
  /// Parses HTML in UTF-8, however broken; what is nested deeper than 256 levels is lost.
  package static func parse(
    _ html: [UInt8], limits: SanitizerLimits = SanitizerLimits()
  ) throws(MarkupError) -> XMLDocument {
    let bytes = try InputPreparation(limits: limits).prepare(html, wrapping: false).bytes
    _ = HTMLEventParser.library
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
    let document = bytes.withUnsafeBytes { buffer in
      htmlReadMemory(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), nil, "UTF-8",
        Int32(options))
    }
    guard let document else { throw MarkupError(.malformed, "The HTML is empty") }
    return XMLDocument(adopting: document)
  }
}
