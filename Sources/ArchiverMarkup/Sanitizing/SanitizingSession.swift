import ArchiverCore

/// One run of the sanitiser: takes the parser's events and decides what reaches the writer.
final class SanitizingSession: HTMLEventHandler {
  let options: SanitizerOptions
  let filter: AttributeFilter
  var resolver: ReferenceResolver
  var writer: ContentWriter
  var dropped = SanitizedHTML.Dropped()
  var images = ImageTracker()
  var highlights = HighlightTracker()
  var hasBase = false

  /// What each open element of the input asks for at its end.
  private var endings: [Ending] = []
  /// Open elements inside one that is left out; 0 when nothing is.
  private var skipping = 0
  private var math: MathWriter?
  private var drawing: DrawingText?
  private var nodes = 0
  private var mediaCount = 0

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
  }

  init(options: SanitizerOptions, baseURL: WebURL?) {
    self.options = options
    filter = AttributeFilter(allowedClasses: options.allowedClasses)
    resolver = ReferenceResolver(base: baseURL)
    writer = ContentWriter()
  }

  func start(_ name: String, _ attributes: HTMLAttributes, depth: Int) throws(MarkupError) {
    nodes += 1
    guard nodes <= options.limits.nodes else {
      throw .limit(
        .tooManyNodes, "The HTML has too many elements", .htmlElements, options.limits.nodes)
    }
    guard depth <= options.limits.depth else {
      throw .limit(
        .tooDeep, "The HTML is nested too deeply", .htmlDepth, options.limits.depth)
    }
    if skipping > 0 {
      skipping += 1
    } else if math != nil {
      math?.start(name, attributes)
    } else if drawing != nil, !DrawingText.leadsBack(name) {
      drawing?.start(name)
      endings.append(.nothing)
    } else {
      drawing = nil
      endings.append(try begin(name, attributes))
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
    if drawing != nil, let words = drawing?.end(name) {
      drawing = nil
      if !words.isEmpty { writer.write(words) }
    }
    if let ending = endings.popLast() { try finish(ending) }
  }

  func text(_ text: UnsafeBufferPointer<UInt8>) {
    if skipping > 0 || text.elementsEqual([0xEF, 0xBB, 0xBF]) { return }
    if math != nil {
      math?.write(text)
    } else if drawing != nil {
      drawing?.write(text)
    } else if !images.swallowsText, !highlights.isInNote {
      writer.write(text)
    }
  }

  func finish() -> SanitizedHTML {
    writer.finish()
    writer.settleHeadings(demote: options.demotesHeadings)
    let plain = String(decoding: writer.text.bytes, as: UTF8.self)
    return SanitizedHTML(
      bytes: writer.output,
      headings: writer.headings.map {
        SanitizedHTML.Heading(level: $0.level, id: $0.id ?? "", text: $0.text)
      },
      annotations: highlights.found(in: writer.text), wordCount: WordCounter.count(plain),
      plainText: plain, firstImageAlt: images.firstAlt, mediaCount: pictureCount,
      dropped: dropped, baseURL: resolver.base)
  }

  /// Leaves out the element that just began, with all its content.
  func skip() -> Ending {
    skipping = 1
    return .nothing
  }

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
    case .noscript: try finishNoscript()
    case .highlight(let serial):
      highlights.endPiece(writer.text.count)
      if let serial { writer.closeInline(serial) }
    case .note: writeNote()
    }
  }
}

// Elements whose content is not taken for what it looks like.
extension SanitizingSession {
  func beginMath(_ attributes: HTMLAttributes) -> Ending {
    math = MathWriter()
    math?.start("math", attributes)
    return .nothing
  }

  func beginDrawing() -> Ending {
    drawing = DrawingText()
    drawing?.start("svg")
    return .nothing
  }

  private func finishMath() {
    guard let formula = math else { return }
    math = nil
    _ = endings.popLast()
    guard formula.hasContent else { return }
    _ = writer.writeAtom(formula.bytes)
    writer.addPlain(formula.text)
  }

  func countMedia() { mediaCount += 1 }

  /// Images, films and sounds written so far.
  var pictureCount: Int { images.count + mediaCount }
}
