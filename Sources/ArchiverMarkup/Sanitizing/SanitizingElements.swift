import ArchiverCore

// The processing of start tags by kind of element.
extension SanitizingSession {
  func begin(_ name: String, _ attributes: HTMLAttributes) throws(MarkupError) -> Ending {
    let rule =
      ElementRule.table[name] ?? (name == options.highlightElement?.name ? .highlight : nil)
    if highlights.isInNote { return beginInsideNote(name, attributes) }
    if images.standsIn { return try beginInsideStandIn(rule, name, attributes) }
    if isForTextOnly, let mark = attributes[TextMark.attribute].flatMap(TextMark.init) {
      if mark == .none { return skip() }
      return try beginLine(rule, name, attributes)
    }
    guard let rule else { return try beginUnknown(name, attributes) }
    if rule.isInline, let style = attributes["style"], StyleFilter.makesLine(style) {
      return try beginLine(rule, name, attributes)
    }
    return try begin(rule, name, attributes)
  }

  /// Begins an inline element that is displayed on a line of its own.
  private func beginLine(
    _ rule: ElementRule?, _ name: String, _ attributes: HTMLAttributes
  ) throws(MarkupError) -> Ending {
    writer.endLine()
    guard let rule else { return .line(try beginUnknown(name, attributes)) }
    return .line(try begin(rule, name, attributes))
  }

  private func begin(
    _ rule: ElementRule, _ name: String, _ attributes: HTMLAttributes
  ) throws(MarkupError) -> Ending {
    switch rule {
    case .block(let block, let kind):
      let isCentred = name == "center" && attributes["align"] == nil
      return beginBlock(
        block, kind,
        isCentred ? HTMLAttributes(attributes.items + [("align", "center")]) : attributes)
    case .heading(let level): return beginBlock("h\(level)", .heading, attributes)
    case .inline(let name, let nests): return beginInline(name, nests: nests, attributes)
    case .span: return try beginSpan(attributes)
    case .link: return beginLink(attributes)
    case .ruby(let name): return beginRuby(name, attributes)
    case .lineBreak: writer.breakLineElement()
    case .wordBreak: writer.writeWordBreak()
    case .rule: beginRule(attributes)
    case .column: writer.writeColumn(filter.filter(attributes, of: "col", &resolver))
    case .image, .picture, .source, .media, .noscript, .map, .area:
      return try beginImage(rule, name, attributes)
    case .embed, .object: return try beginEmbed(rule, name, attributes)
    case .math: return beginMath(attributes)
    case .drawing: return beginDrawing(attributes)
    case .highlight, .highlightPiece, .superscript: return beginHighlight(rule, attributes)
    case .fallback: return beginFallback()
    case .control: try beginControl(attributes)
    case .track: break
    case .apart: return beginApart(attributes)
    case .option: return beginOption(attributes)
    case .optionGroup: beginOptionGroup(attributes)
    case .template:
      // A declarative shadow root is displayed; any other template needs a script.
      guard attributes["shadowrootmode"] != nil else { return skip() }
    case .base: beginBase(attributes)
    case .drop:
      dropped.elements += 1
      if name == "style" { countLoss(.style) }
      if name == "datalist" { countLoss(.formControl) }
      return skip()
    case .script: return beginScript(attributes)
    }
    return .nothing
  }

  /// Returns the permitted attributes of an element; its id is reserved.
  private func kept(_ attributes: HTMLAttributes, of name: String) -> ElementAttributes {
    guard !attributes.items.isEmpty else { return ElementAttributes() }
    var kept = filter.filter(attributes, of: name, &resolver)
    kept.id = writer.claim(kept.id)
    wantedWhiteSpace = kept.whiteSpace
    return kept
  }

  private func beginUnknown(
    _ name: String, _ attributes: HTMLAttributes
  ) throws(MarkupError) -> Ending {
    if let ending = try beginDrawnFormula(name, attributes) { return ending }
    _ = writePlayer(name, attributes)
    noteAnchor(attributes)
    return .nothing
  }

  /// Keeps the id of an element that is not written, if it has one.
  func noteAnchor(_ attributes: HTMLAttributes) {
    if let id = attributes["id"].flatMap(SafeIdentifier.id) { writer.noteAnchor(id) }
  }

  private func beginRule(_ attributes: HTMLAttributes) {
    var bytes = Array("<hr".utf8)
    if writer.canHoldBlock, let id = writer.claim(attributes["id"].flatMap(SafeIdentifier.id)) {
      bytes.appendAttribute("id", id)
    }
    bytes.append(0x3E)
    writer.writeBlockAtom(bytes)
  }

  private func beginBlock(
    _ name: String, _ kind: BlockKind, _ attributes: HTMLAttributes
  ) -> Ending {
    let kept = self.kept(attributes, of: name)
    guard let serial = writer.openBlock(name, kind, kept) else { return .separated }
    return .block(serial)
  }

  func beginInline(_ name: String, nests: Bool, _ attributes: HTMLAttributes) -> Ending {
    let kept = self.kept(attributes, of: name)
    if name == "code", attributes["class"].map(FormulaTracker.isSource) == true {
      countLoss(.formula)
    }
    if kept.isEmpty, !nests, writer.isPlainlyActive(name) { return .nothing }
    guard let serial = writer.openInline(name, kept) else { return .nothing }
    return .inline(serial)
  }

  private func beginSpan(_ attributes: HTMLAttributes) throws(MarkupError) -> Ending {
    // KaTeX's rendering of the formula that was just written.
    if followsFormula, attributes["class"] == "katex-html" { return skip() }
    if let ending = try beginDrawnFormula("span", attributes) { return ending }
    if isForTextOnly, MissingImageText.isBegun(by: attributes) {
      return beginMissingImage(attributes)
    }
    let kept = self.kept(attributes, of: "span")
    guard !kept.isEmpty, let serial = writer.openInline("span", kept) else { return .nothing }
    return .inline(serial)
  }

  private func beginRuby(_ name: String, _ attributes: HTMLAttributes) -> Ending {
    let fits = name == "ruby" ? !writer.isActive("ruby") : writer.innermostInline == "ruby"
    guard fits else { return .nothing }
    return beginInline(name, nests: true, attributes)
  }

  private func beginLink(_ attributes: HTMLAttributes) -> Ending {
    var kept = self.kept(attributes, of: "a")
    let target = attributes["href"].flatMap { resolver.link($0) }
    if target == nil, let address = attributes["href"] { noteDroppedLink(address) }
    guard let target, !writer.isActive("a") else {
      if let id = kept.id { writer.writeClaimedAnchor(id) }
      return .nothing
    }
    target.write(into: &kept.bytes)
    guard let serial = writer.openInline("a", kept) else { return .nothing }
    return .inline(serial)
  }

  /// Counts a link that is not written. It is no loss if it goes to the top of the page or runs a script.
  func noteDroppedLink(_ address: String) {
    dropped.links += 1
    let address = ReferenceResolver.cleaned(address)
    guard !address.isEmpty, !address.hasPrefix("#"),
      ReferenceResolver.scheme(address) != "javascript"
    else { return }
    countLoss(.link)
  }

  private func beginBase(_ attributes: HTMLAttributes) {
    guard !hasBase, innerDocuments == 0,
      let address = attributes["href"].flatMap({ resolver.web($0) })
    else { return }
    hasBase = true
    resolver = ReferenceResolver(base: WebURL(address))
  }
}
