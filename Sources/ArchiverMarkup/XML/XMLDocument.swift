import ArchiverCore
import CXML2

/// Limits on XML and HTML documents.
package struct XMLLimits: Sendable, Hashable {
  /// The size of the input in bytes.
  package var inputBytes = 64_000_000

  package init() {}
}

/// A parsed XML document, such as an Atom feed, an OPF package or an NCX.
///
/// Nothing is fetched, no DTD is loaded, and only the five predefined entities are expanded.
/// libxml2's own limits on depth (256), name length and amplification apply. A document and its
/// elements are used by one thread at a time, as libxml2 requires.
package final class XMLDocument {
  private let document: xmlDocPtr

  /// Parses XML in its declared encoding.
  ///
  /// With `recovering`, well-formed parts around errors are kept; otherwise an error throws
  /// `.malformed` with its line.
  package convenience init(
    _ xml: [UInt8], recovering: Bool = false, limits: XMLLimits = XMLLimits()
  ) throws(MarkupError) {
    var options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue
    options |= XML_PARSE_NOWARNING.rawValue | XML_PARSE_NOCDATA.rawValue
    if recovering { options |= XML_PARSE_RECOVER.rawValue }
    self.init(adopting: try XMLDocument.parse(xml, options: options, limits: limits))
  }

  init(adopting document: xmlDocPtr) {
    self.document = document
  }

  deinit { xmlFreeDoc(document) }

  /// The root element; `nil` for an empty document.
  package var root: XMLElement? {
    xmlDocGetRootElement(document).map { XMLElement(node: $0, document: self) }
  }

  /// Whether the document declares entities.
  package var declaresEntities: Bool {
    document.pointee.intSubset?.pointee.entities != nil
  }

  private static func parse(
    _ xml: [UInt8], options: UInt32, limits: XMLLimits
  ) throws(MarkupError) -> xmlDocPtr {
    do throws(MarkupError) {
      return try parseAsItIs(xml, options: options, limits: limits)
    } catch {
      guard error.code == .tooDeep else { throw error }
      // Text in elements nested too deeply is kept.
      let flat = FlattenedXML.bytes(xml, deepest: deepest - 1)
      return try parseAsItIs(flat, options: options, limits: limits)
    }
  }

  private static func parseAsItIs(
    _ xml: [UInt8], options: UInt32, limits: XMLLimits
  ) throws(MarkupError) -> xmlDocPtr {
    guard xml.count <= limits.inputBytes else {
      throw MarkupError(
        .tooLarge,
        "the XML has \(xml.count) bytes \(Limit.fixed(bytes: limits.inputBytes))")
    }
    try AttributeCount.check(xml)
    _ = MarkupLibraries.xml
    cxml2_silence()
    guard let context = xmlNewParserCtxt() else {
      throw MarkupError(.parser, "the XML parser could not be started")
    }
    defer { xmlFreeParserCtxt(context) }
    let document = xml.withUnsafeBytes { buffer in
      xmlCtxtReadMemory(
        context, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), nil,
        nil, Int32(options))
    }
    if let document { return document }
    let problem = problem(context)
    if problem.hasPrefix("Excessive depth") {
      throw MarkupError(.tooDeep, "the XML is nested too deeply \(Limit.fixed(deepest))")
    }
    throw MarkupError(.malformed, "the XML is not well formed: \(problem)")
  }

  /// The maximum depth of libxml2.
  private static let deepest = 256

  private static func problem(_ context: xmlParserCtxtPtr) -> String {
    guard let error = xmlCtxtGetLastError(context) else { return "it is empty" }
    let message = error.pointee.message.map { String(cString: $0) } ?? "unknown error"
    let line = message.split(separator: "\n").first.map(String.init) ?? message
    return "\(line) (line \(error.pointee.line))"
  }
}
