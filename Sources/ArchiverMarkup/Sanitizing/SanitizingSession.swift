import ArchiverCore

/// One run of the sanitiser: processes the parser's events and passes permitted content to the
/// writer.
final class SanitizingSession: HTMLEventHandler {
  let options: SanitizerOptions
  let filter: AttributeFilter
  var resolver: ReferenceResolver
  /// The writer. Text that is held back is written before anything else.
  var writer: ContentWriter {
    _read {
      if !heldWords.isEmpty { settleWords() }
      yield output
    }
    _modify {
      if !heldWords.isEmpty { settleWords() }
      yield &output
    }
  }
  // The properties without checks of exclusive access are read for every element and text. No
  // mutation of one calls code that reads it.
  @exclusivity(unchecked) private var output = ContentWriter()
  /// Text that may begin a formula.
  @exclusivity(unchecked) var heldWords: [UInt8] = []
  /// Whether LaTeX in the text is converted.
  var readsFormulasInText = false
  /// The number of formulas in the text that could not be read.
  var unreadInText = 0
  var dropped = SanitizedHTML.Dropped()
  private(set) var losses: [String: Int] = [:]
  @exclusivity(unchecked) var images = ImageTracker()
  @exclusivity(unchecked) var highlights = HighlightTracker()
  var hasBase = false
  /// Whether only the plain text is needed.
  var isForTextOnly = false

  /// For each open element of the input, what to do at its end.
  @exclusivity(unchecked) private var endings: [Ending] = []
  /// The number of open elements inside a dropped one; 0 outside.
  @exclusivity(unchecked) private var skipping = 0
  /// Markup that parsers read as text: the fallback of an adjacent element.
  @exclusivity(unchecked) private var fallback: [UInt8]?
  @exclusivity(unchecked) var math: MathWriter?
  @exclusivity(unchecked) var formulas = FormulaTracker()
  @exclusivity(unchecked) private var drawing: DrawingText?
  @exclusivity(unchecked) private var missingImage: MissingImageText?
  /// The length of the plain text before the options of the last control.
  var optionsStart: Int?
  @exclusivity(unchecked) private var nodes = 0
  private var mediaCount = 0
  /// The `white-space` of the element that just began.
  @exclusivity(unchecked) var wantedWhiteSpace: WhiteSpace?
  /// Whether any white space was preserved.
  private var hasKeptWhiteSpace = false
  /// The number of open inner documents.
  var innerDocuments = 0
  /// The number of inner documents so far.
  var innerDocumentCount = 0

  enum Ending {
    case nothing
    case block(Int)
    case separated
    case inline(Int)
    case picture
    case media
    case noscript
    case highlight(Int?)
    case note
    case map
    case apart
    /// Of an option: the length of the text before it, and its label if it has no content.
    case option(Int, String?)
    case objectImage
    case formula
    case fallback
    indirect case whiteSpace(WhiteSpace, Ending)
    /// Of an inline element on a line of its own.
    indirect case line(Ending)
  }

  init(options: SanitizerOptions, baseURL: WebURL?) {
    self.options = options
    filter = AttributeFilter(allowedClasses: options.allowedClasses)
    resolver = ReferenceResolver(base: baseURL)
  }

  /// Sanitises HTML, or a part of it from text.
  func read(_ html: [UInt8]) throws(MarkupError) {
    output.reserve(html.count)
    countLosses(.formatting, try HTMLParser.parseContent(html, into: self))
  }

  func start(_ name: String, _ attributes: HTMLAttributes, depth: Int) throws(MarkupError) {
    nodes += 1
    guard nodes <= options.limits.nodes else {
      throw .limit(
        .tooManyNodes, "the HTML has too many elements", .htmlElements, options.limits.nodes)
    }
    if skipping > 0 {
      skipping += 1
    } else if math != nil {
      math?.start(name, attributes)
    } else if formulas.drawing != nil {
      if let ending = beginInsideDrawnFormula(name, attributes) { endings.append(ending) }
    } else if missingImage != nil {
      missingImage?.start(attributes)
    } else if drawing != nil, drawing?.holdsHTML == true || !DrawingText.leadsBack(name) {
      drawing?.start(name, attributes)
      endings.append(.nothing)
    } else {
      if let left = drawing {
        countLoss(of: left)
        countLosses(.link, left.links)
        drawing = nil
        if !left.text.isEmpty { writer.write(left.text) }
        for picture in left.pictures { try showPicture(picture) }
      }
      var ending = try begin(name, attributes)
      if let wanted = wantedWhiteSpace {
        wantedWhiteSpace = nil
        ending = .whiteSpace(writer.whiteSpace, ending)
        writer.whiteSpace = wanted
        hasKeptWhiteSpace = hasKeptWhiteSpace || wanted != .collapsed
      }
      endings.append(ending)
    }
  }

  func end(_ name: String) throws(MarkupError) {
    if skipping > 0 {
      skipping -= 1
      if skipping == 0 { try leaveSkipped() }
      return
    }
    if math != nil {
      if math?.end(name) == true { finishMath() }
      return
    }
    if formulas.drawing != nil { return try endInsideDrawnFormula() }
    if missingImage != nil {
      if let words = missingImage?.end() { finishMissingImage(words) }
      return
    }
    if drawing != nil, let words = drawing?.end(name), let ended = drawing {
      drawing = nil
      countLosses(.link, ended.links)
      if try showDrawing(ended) {
        // The drawing itself has those that were not elsewhere.
        for picture in ended.pictures where !picture.hasPrefix("data:") {
          try showPicture(picture)
        }
        if let ending = endings.popLast() { try finish(ending) }
        return
      }
      countLoss(of: ended)
      var pictures = ended.pictures[...]
      if words.isEmpty {
        try showPicture(pictures.popFirst(), alt: ended.name)
      } else {
        writer.write(words)
      }
      for picture in pictures { try showPicture(picture) }
    }
    if let ending = endings.popLast() { try finish(ending) }
  }

  func text(_ text: UnsafeBufferPointer<UInt8>) throws(MarkupError) {
    if skipping > 0 { return }
    if InputPreparation.nextByteOrderMark(text, from: 0) != nil {
      return try InputPreparation.withoutByteOrderMarks(Array(text)).withUnsafeBufferPointer {
        (clean) throws(MarkupError) in try write(clean)
      }
    }
    try write(text)
  }

  /// Writes text without U+FEFF.
  private func write(_ text: UnsafeBufferPointer<UInt8>) throws(MarkupError) {
    if fallback != nil {
      fallback? += text
    } else if math != nil {
      math?.write(text)
    } else if formulas.drawing != nil {
      formulas.drawing?.words += text
    } else if missingImage != nil {
      missingImage?.write(text)
    } else if drawing != nil {
      drawing?.write(text)
    } else if images.standsIn {
      try writeStandIn(text)
    } else if !highlights.isInNote {
      writeWords(text)
    }
  }

  func rawText(_ text: UnsafeBufferPointer<UInt8>) {
    if skipping > 0 { formulas.script?.source += text } else { drawing?.writeRaw(text) }
  }

  /// Ends the document and returns its plain text.
  func plainText() -> String {
    writer.finish()
    return writer.text.wholeText
  }

  func finish() -> SanitizedHTML {
    let plain = plainText()
    writer.settleHeadings(demote: options.demotesHeadings)
    countLosses(.formatting, writer.lostElements)
    return SanitizedHTML(
      bytes: writer.output,
      headings: writer.headings.map {
        SanitizedHTML.Heading(level: $0.level, id: $0.id ?? "", text: $0.text)
      },
      annotations: highlights.found(in: writer.text), wordCount: WordCounter.count(plain),
      plainText: plain, hasPlainTextOfBytes: !hasKeptWhiteSpace, firstImageAlt: images.firstAlt,
      mediaCount: pictureCount,
      dropped: dropped, losses: losses, baseURL: resolver.base)
  }

  /// Drops the element that just began, with its content.
  func skip() -> Ending {
    skipping = 1
    return .nothing
  }

  /// Ends an element without further processing.
  func leave() { _ = endings.popLast() }

  private func leaveSkipped() throws(MarkupError) {
    if let ending = endings.popLast() { try finish(ending) }
  }

  private func finish(_ ending: Ending) throws(MarkupError) {
    switch ending {
    case .nothing: break
    case .block(let serial): writer.closeBlock(serial)
    case .separated: writer.separate()
    case .inline(let serial): writer.closeInline(serial)
    case .picture: try finishPicture()
    case .media: try finishMedia()
    case .noscript: images.noscriptDepth -= 1
    case .map: finishMap()
    case .apart:
      writer.separate()
      optionsStart = nil
    case .option(let start, let label): finishOption(start, label)
    case .objectImage: try finishObjectImage()
    case .formula: try finishFormulaScript()
    case .whiteSpace(let outer, let ending):
      try finish(ending)
      writer.whiteSpace = outer
    case .line(let ending):
      try finish(ending)
      writer.endLine()
    case .highlight(let serial):
      highlights.endPiece(writer.text.count)
      if let serial { writer.closeInline(serial) }
    case .note: writeNote()
    case .fallback:
      guard let markup = fallback else { return }
      fallback = nil
      try writeInner(markup)
    }
  }
}

// Elements with special content.
extension SanitizingSession {
  /// Begins fallback content that browsers with frames and plug-ins do not show.
  func beginFallback() -> Ending {
    fallback = []
    return .fallback
  }

  func beginDrawing(_ attributes: HTMLAttributes) -> Ending {
    noteAnchor(attributes)
    drawing = DrawingText(attributes)
    return .nothing
  }

  /// Keeps an SVG image as an image; returns whether it was kept.
  private func showDrawing(_ drawing: DrawingText) throws(MarkupError) -> Bool {
    guard !isForTextOnly, pictureCount < options.limits.images, let address = drawing.address else {
      return false
    }
    var markup = ImageMarkup()
    markup.source = address
    markup.alt = drawing.description
    try show(markup)
    return true
  }

  /// Writes a raster image of a drawing, or a placeholder with the drawing's name. Counts an image
  /// that cannot be shown; the drawing itself is counted by `countLoss(of:)`.
  private func showPicture(_ address: String?, alt: String? = nil) throws(MarkupError) {
    if isForTextOnly { return }
    var markup = ImageMarkup()
    markup.source = address.flatMap { resolver.image($0) }
    markup.alt = alt
    let hasRoom = pictureCount < options.limits.images
    if address != nil, markup.source == nil || !hasRoom { countLoss(.drawing) }
    if hasRoom, markup.source != nil || alt != nil { try show(markup) }
  }

  /// Begins the placeholder of a missing image in a bundle's page.
  func beginMissingImage(_ attributes: HTMLAttributes) -> Ending {
    missingImage = MissingImageText(attributes)
    return .nothing
  }

  private func finishMissingImage(_ words: String) {
    missingImage = nil
    _ = endings.popLast()
    guard !words.isEmpty else { return }
    writer.text.breakWord()
    writer.write(words)
    writer.text.breakWord()
  }

  func countMedia() { mediaCount += 1 }

  func countLoss(_ kind: SanitizedHTML.Loss) { losses[kind.rawValue, default: 0] += 1 }

  private func countLosses(_ kind: SanitizedHTML.Loss, _ count: Int) {
    if count > 0 { losses[kind.rawValue, default: 0] += count }
  }

  private func countLoss(of drawing: DrawingText?) {
    if drawing?.isContent == true { countLoss(.drawing) }
  }

  /// The number of images, videos and audio elements written so far.
  var pictureCount: Int { images.count + mediaCount }
}
