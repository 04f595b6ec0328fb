import CXML2

/// Receives what an HTML parser finds, properly nested: every start has its end.
protocol HTMLEventHandler: AnyObject {
  /// Begins an element; the name is lower-case. What it throws ends the parse.
  func start(_ name: String, _ attributes: HTMLAttributes, depth: Int) throws(MarkupError)
  /// Ends the innermost element. What it throws ends the parse.
  func end(_ name: String) throws(MarkupError)
  /// Takes text with references resolved; may come in pieces.
  func text(_ text: UnsafeBufferPointer<UInt8>) throws(MarkupError)
  /// Takes what is in a script or a style sheet.
  func rawText(_ text: UnsafeBufferPointer<UInt8>)
}

extension HTMLEventHandler {
  func rawText(_ text: UnsafeBufferPointer<UInt8>) {}
}

/// The attributes of an element; names are lower-case and unique.
struct HTMLAttributes {
  private(set) var items: [(name: String, value: String)] = []

  init(_ items: [(name: String, value: String)] = []) {
    self.items = items
  }

  /// The value; empty for an attribute without one, `nil` when it is absent.
  subscript(name: String) -> String? {
    for item in items where item.name == name { return item.value }
    return nil
  }

  fileprivate init(_ pointers: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
    guard var next = pointers else { return }
    while let name = next.pointee {
      let value = next[1].map { String(cString: $0) } ?? ""
      items.append((String(cString: name), value))
      next += 2
    }
  }
}

/// libxml2's tolerant HTML parser as a stream of events.
///
/// Without a tree there is no cut at 256 levels. Thread-safety: libxml2 documents that distinct
/// contexts may be used by distinct threads once `xmlInitParser` has run; each parse has its own.
enum HTMLEventParser {
  /// Initialises libxml2 exactly once, whichever thread comes first.
  static let library: Void = xmlInitParser()

  /// Parses valid UTF-8 without NUL characters.
  static func parse(
    _ bytes: [UInt8], into handler: some HTMLEventHandler
  ) throws(MarkupError) {
    _ = library
    guard let context = htmlNewParserCtxt() else {
      throw MarkupError(.parser, "The HTML parser could not be started")
    }
    defer { htmlFreeParserCtxt(context) }
    let relay = EventRelay(handler, context)
    context.pointee.sax.pointee = EventRelay.callbacks
    context.pointee.userData = Unmanaged.passUnretained(relay).toOpaque()
    let options =
      HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
      | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_HUGE.rawValue
    bytes.withUnsafeBytes { buffer in
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let document = htmlCtxtReadMemory(
        context, start, Int32(buffer.count), nil, "UTF-8", Int32(options))
      if let document { xmlFreeDoc(document) }
    }
    relay.finish()
    if let failure = relay.failure { throw failure }
  }
}

/// Hands libxml2's calls on to a handler and stops the parser at the first error.
private final class EventRelay {
  private let handler: any HTMLEventHandler
  private let context: htmlParserCtxtPtr
  private(set) var failure: MarkupError?
  // Looked at in every call, and never while it is being changed: what is checked at run time costs more
  // than what is done.
  @exclusivity(unchecked) private var implied = ImpliedEnds()
  /// Where the parser stood when it called last.
  @exclusivity(unchecked) private var lastPlace = 0

  init(_ handler: any HTMLEventHandler, _ context: htmlParserCtxtPtr) {
    self.handler = handler
    self.context = context
  }

  static var callbacks: xmlSAXHandler {
    var sax = xmlSAXHandler()
    sax.startElement = { EventRelay.from($0)?.start($1, $2) }
    sax.endElement = { EventRelay.from($0)?.end($1) }
    sax.characters = { EventRelay.from($0)?.text($1, $2) }
    sax.cdataBlock = { EventRelay.from($0)?.rawText($1, $2) }
    sax.ignorableWhitespace = { EventRelay.from($0)?.text($1, $2) }
    sax.comment = { relay, _ in EventRelay.from(relay)?.skip() }
    sax.serror = { EventRelay.from($0)?.error($1?.pointee) }
    // Without it the parser does not look at `serror`.
    sax.initialized = UInt32(XML_SAX2_MAGIC)
    return sax
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> EventRelay? {
    pointer.map { Unmanaged<EventRelay>.fromOpaque($0).takeUnretainedValue() }
  }

  private func start(
    _ name: UnsafePointer<xmlChar>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard failure == nil, let name = name.map({ String(cString: $0) }) else { return }
    defer { lastPlace = place }
    let depth = Int(context.pointee.nameNr)
    if !implied.isEmpty { end(implied.ends(beforeStart: name, depth: depth, openNames: openName)) }
    attempt { () throws(MarkupError) in
      try handler.start(name, HTMLAttributes(attributes), depth: depth + implied.depth)
    }
  }

  private func end(_ name: UnsafePointer<xmlChar>?) {
    guard failure == nil, let name = name.map({ String(cString: $0) }) else { return }
    defer { lastPlace = place }
    let depth = Int(context.pointee.nameNr)
    if hasReadNoEndTag, implied.take(name, depth: depth) { return }
    if !implied.isEmpty {
      end(implied.ends(beforeEndAt: depth))
      if implied.wasEnded(at: depth) { return }
    }
    end([name])
  }

  private func end(_ names: [String]) {
    for name in names where failure == nil {
      attempt { () throws(MarkupError) in try handler.end(name) }
    }
  }

  private func skip() { lastPlace = place }

  /// Ends what is still held back.
  func finish() {
    if !implied.isEmpty { end(implied.ends(beforeEndAt: 0)) }
  }

  /// Where the parser stands in the input, from its beginning on.
  private var place: Int {
    guard let input = context.pointee.input, let next = input.pointee.cur else { return 0 }
    return Int(input.pointee.consumed) + (next - input.pointee.base)
  }

  /// Whether the parser has read no end tag since it called last, only the rest of a start tag and
  /// white space: it ends an element because of what it sees ahead.
  private var hasReadNoEndTag: Bool {
    guard let input = context.pointee.input, let next = input.pointee.cur else { return false }
    let count = place - lastPlace
    guard (0...min(256, next - input.pointee.base)).contains(count) else { return false }
    return UnsafeBufferPointer(start: next - count, count: count).allSatisfy {
      TextByte.isSpace($0) || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "/")
    }
  }

  /// Returns the name of the element that the parser has open at a depth, from 1 on.
  private func openName(_ depth: Int) -> String {
    guard (1...Int(context.pointee.nameNr)).contains(depth),
      let name = context.pointee.nameTab[depth - 1]
    else { return "" }
    return String(cString: name)
  }

  /// Takes what the parser complains of: an end tag for which it has no element open.
  private func error(_ error: xmlError?) {
    lastPlace = place
    guard failure == nil, !implied.isEmpty, let error,
      error.code == Int32(XML_ERR_TAG_NAME_MISMATCH.rawValue), error.str2 == nil,
      let name = error.str1
    else { return }
    end(
      implied.ends(
        atTag: String(cString: name), depth: Int(context.pointee.nameNr), openNames: openName))
  }

  private func attempt(_ step: () throws(MarkupError) -> Void) {
    do throws(MarkupError) {
      try step()
    } catch {
      failure = error
      xmlStopParser(context)
    }
  }

  private func text(_ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard failure == nil, let text, count > 0 else { return }
    lastPlace = place
    if !implied.isEmpty { end(implied.takePending()) }
    let piece = UnsafeBufferPointer(start: text, count: Int(count))
    attempt { () throws(MarkupError) in try handler.text(piece) }
  }

  private func rawText(_ text: UnsafePointer<xmlChar>?, _ count: Int32) {
    guard failure == nil, let text, count > 0 else { return }
    lastPlace = place
    handler.rawText(UnsafeBufferPointer(start: text, count: Int(count)))
  }
}
