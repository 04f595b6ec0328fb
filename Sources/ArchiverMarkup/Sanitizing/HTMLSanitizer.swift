package import ArchiverCore

/// Converts untrusted HTML to a canonical fragment that is safe in the body of a page.
///
/// `HTMLParser` parses as the standard does; an allow-list decides; `ContentWriter` writes a
/// structure that every parser reads back as the same tree, so that browsers cannot give it another
/// meaning:
///
/// 1. Block elements never stand inside inline ones; a paragraph or heading holds inline content only.
/// 2. Lists hold items only, tables are complete (groups, rows, cells), links do not nest.
/// 3. No element whose content is read in another mode is ever written: no raw text, no foreign
///    content except MathML whose leaves hold nothing but text.
/// 4. Sanitising the result again gives the same bytes.
///
/// Thread-safe: a value has options only.
package struct HTMLSanitizer: Sendable {
  private let options: SanitizerOptions

  package init(_ options: SanitizerOptions = SanitizerOptions()) {
    self.options = options
  }

  /// Sanitises a fragment or a document in UTF-8; invalid sequences become U+FFFD.
  ///
  /// References are resolved against the input's `base` element, or else `baseURL`; without either,
  /// relative references are dropped.
  package func sanitize(
    _ html: [UInt8], baseURL: WebURL?
  ) throws(MarkupError) -> SanitizedHTML {
    let input = try InputPreparation.prepare(html, limits: options.limits)
    let session = SanitizingSession(options: options, baseURL: baseURL)
    try session.read(input)
    let result = session.finish()
    let mayHaveFormulas = result.bytes.withUnsafeBufferPointer(FormulaText.mayBegin)
    return mayHaveFormulas ? try withFormulas(result) : result
  }

  /// Returns the number of nodes of parsed HTML; the first step of sanitising, for measurements.
  package static func nodeCount(of html: [UInt8]) throws(MarkupError) -> Int {
    try HTMLParser.tree(of: html).nodes.count
  }

  /// Converts formulas in sanitised text, unless an element that is not written comes between their
  /// parts. Sanitising the result again therefore gives the same result.
  private func withFormulas(_ plain: SanitizedHTML) throws(MarkupError) -> SanitizedHTML {
    let session = SanitizingSession(options: options, baseURL: plain.baseURL)
    session.readsFormulasInText = true
    try session.read(plain.bytes)
    var result = session.finish()
    result.dropped = plain.dropped
    result.baseURL = plain.baseURL
    result.firstImageAlt = plain.firstImageAlt
    result.losses = plain.losses
    if session.unreadInText > 0 {
      result.losses[SanitizedHTML.Loss.formula.rawValue, default: 0] += session.unreadInText
    }
    let marked = result.annotations
    result.annotations = plain.annotations.map { highlight in
      var highlight = highlight
      if let text = marked.first(where: { $0.id == highlight.id })?.text { highlight.text = text }
      return highlight
    }
    return result
  }

  /// Returns the `plainText` of sanitised HTML without writing it again.
  ///
  /// Of the placeholder of a missing image, only the image's own text is included.
  package func plainText(of html: [UInt8]) throws(MarkupError) -> String {
    let input = try InputPreparation.prepare(html, limits: options.limits)
    let session = SanitizingSession(options: options, baseURL: nil)
    session.isForTextOnly = true
    try session.read(input)
    return session.plainText()
  }
}
