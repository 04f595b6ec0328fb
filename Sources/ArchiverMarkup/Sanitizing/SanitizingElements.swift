import ArchiverCore

// What each kind of element does when it begins.
extension SanitizingSession {
  func begin(_ name: String, _ attributes: HTMLAttributes) throws(MarkupError) -> Ending {
    let rule = ElementRule.table[name]
    if highlights.isInNote { return beginInsideNote(name, attributes) }
    if images.swallowsText { return try beginInsideStandIn(rule, name, attributes) }
    guard let rule else { return beginUnknown(attributes) }
    switch rule {
    case .block(let block, let kind):
      let isCentred = name == "center" && attributes["align"] == nil
      return beginBlock(
        block, kind,
        isCentred ? HTMLAttributes(attributes.items + [("align", "center")]) : attributes)
    case .heading(let level): return beginBlock("h\(level)", .heading, attributes)
    case .inline(let name, let nests): return beginInline(name, nests: nests, attributes)
    case .span: return beginSpan(attributes)
    case .link: return beginLink(attributes)
    case .ruby(let name): return beginRuby(name, attributes)
    case .lineBreak: writer.breakLineElement()
    case .wordBreak: writer.writeWordBreak()
    case .rule: writer.writeBlockAtom(Array("<hr>".utf8))
    case .column: writer.writeColumn(filter.filter(attributes, of: "col", &resolver))
    case .image, .picture, .source, .media, .noscript:
      return try beginImage(rule, name, attributes)
    case .embed, .object: return try beginEmbed(rule, name, attributes)
    case .math: return beginMath(attributes)
    case .drawing: return beginDrawing()
    case .highlight, .highlightPiece, .superscript: return beginHighlight(rule, attributes)
    case .checkbox: beginCheckbox(attributes)
    case .base: beginBase(attributes)
    case .drop:
      dropped.elements += 1
      return skip()
    case .script:
      dropped.scripts += 1
      return skip()
    }
    return .nothing
  }

  /// Returns what an element keeps of its attributes; its id is claimed.
  private func kept(_ attributes: HTMLAttributes, of name: String) -> ElementAttributes {
    guard !attributes.items.isEmpty else { return ElementAttributes() }
    var kept = filter.filter(attributes, of: name, &resolver)
    kept.id = writer.claim(kept.id)
    return kept
  }

  private func beginUnknown(_ attributes: HTMLAttributes) -> Ending {
    if let id = attributes["id"].flatMap(SafeIdentifier.id) { writer.noteAnchor(id) }
    return .nothing
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
    if kept.isEmpty, !nests, writer.isPlainlyActive(name) { return .nothing }
    guard let serial = writer.openInline(name, kept) else { return .nothing }
    return .inline(serial)
  }

  private func beginSpan(_ attributes: HTMLAttributes) -> Ending {
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
    if target == nil, attributes["href"] != nil { dropped.links += 1 }
    guard let target, !writer.isActive("a") else {
      if let id = kept.id { writer.writeClaimedAnchor(id) }
      return .nothing
    }
    switch target {
    case .external(let address):
      kept.set("href", address)
      kept.set("rel", "noreferrer noopener")
    case .contact(let address): kept.set("href", address)
    case .internalAnchor(let id): kept.set("href", "#" + id)
    }
    guard let serial = writer.openInline("a", kept) else { return .nothing }
    return .inline(serial)
  }

  private func beginCheckbox(_ attributes: HTMLAttributes) {
    guard attributes["type"]?.lowercased() == "checkbox" else {
      dropped.elements += 1
      return
    }
    writer.write(attributes["checked"] == nil ? "☐ " : "☑ ")
  }

  private func beginBase(_ attributes: HTMLAttributes) {
    guard !hasBase, let address = attributes["href"].flatMap({ resolver.web($0) }) else { return }
    hasBase = true
    resolver = ReferenceResolver(base: WebURL(address))
  }
}

// Embedded content, which an archived page cannot show.
extension SanitizingSession {
  private func beginEmbed(
    _ rule: ElementRule, _ name: String, _ attributes: HTMLAttributes
  ) throws(MarkupError) -> Ending {
    if case .object = rule { return try beginObject(attributes) }
    // Parsers take what follows `embed` for its content; that of `iframe` is never shown.
    let ending: Ending = name == "iframe" ? skip() : .nothing
    dropped.embeds += 1
    guard !isHidden(attributes) else { return ending }
    for source in ["src", "data-src", "data-lazy-src"] {
      guard let address = attributes[source].flatMap({ resolver.web($0) }) else { continue }
      writeEmbed(address)
      break
    }
    return ending
  }

  private func beginObject(_ attributes: HTMLAttributes) throws(MarkupError) -> Ending {
    guard let data = attributes["data"] else { return .nothing }
    dropped.embeds += 1
    if attributes["type"]?.lowercased().hasPrefix("image/") == true {
      var markup = ImageMarkup()
      markup.source = resolver.image(data)
      markup.alt = attributes["title"]
      try show(markup)
    } else if let address = resolver.web(data) {
      writeEmbed(address)
    } else {
      return .nothing
    }
    return skip()
  }

  private func isHidden(_ attributes: HTMLAttributes) -> Bool {
    let style = attributes["style"]?.lowercased().filter { $0 != " " } ?? ""
    let sides = [attributes["width"], attributes["height"]].map(ImageMarkup.pixels)
    return style.contains("display:none") || style.contains("visibility:hidden")
      || sides.allSatisfy { $0.map { $0 <= 1 } ?? false }
  }

  private func writeEmbed(_ address: String) {
    var paragraph = ElementAttributes()
    paragraph.set("class", "embed")
    let block = writer.openBlock("p", .paragraph, paragraph)
    var link = ElementAttributes()
    link.set("href", address)
    link.set("rel", "noreferrer noopener")
    let inline = writer.isActive("a") ? nil : writer.openInline("a", link)
    writer.write("Embedded content: \(address)")
    if let inline { writer.closeInline(inline) }
    if let block { writer.closeBlock(block) } else { writer.separate() }
  }
}

// Highlights and their notes.
extension SanitizingSession {
  private func beginHighlight(_ rule: ElementRule, _ attributes: HTMLAttributes) -> Ending {
    switch rule {
    case .superscript:
      guard attributes["class"] == "hl-note" else {
        return beginInline("sup", nests: true, attributes)
      }
      highlights.note = HighlightTracker.Note(key: attributes["data-hl"], text: attributes["title"])
      return .note
    case .highlightPiece:
      guard let key = attributes["data-hl"], !key.isEmpty else {
        return beginInline("mark", nests: false, attributes)
      }
      let classes = attributes["class"]?.split(separator: " ") ?? []
      let color = classes.first { $0.hasPrefix("hl-") }.map { String($0.dropFirst(3)) }
      return beginPiece(key, color: color, attributes)
    default: return beginReadeckHighlight(attributes)
    }
  }

  /// Readeck's element: `data-annotation-id-value` on each piece, `data-annotation-note` on an empty
  /// one at the end whose title is the note, no attribute at all in pages from its sync interface.
  private func beginReadeckHighlight(_ attributes: HTMLAttributes) -> Ending {
    let value = attributes["data-annotation-id-value"]
    let id = attributes["id"].map { $0.hasPrefix("annotation-") ? String($0.dropFirst(11)) : $0 }
    let color = attributes["data-annotation-color"]
    guard let key = value ?? id, !key.isEmpty else {
      return beginInline("mark", nests: false, HTMLAttributes())
    }
    if attributes["data-annotation-note"] != nil {
      highlights.note = HighlightTracker.Note(key: key, text: attributes["title"], color: color)
      return .note
    }
    return beginPiece(key, color: color, HTMLAttributes())
  }

  private func beginPiece(
    _ key: String, color: String?, _ attributes: HTMLAttributes
  ) -> Ending {
    let key = SafeIdentifier.key(key)
    let color = HighlightTracker.color(color)
    let isFirst = highlights.beginPiece(key, color: color, at: writer.text.count)
    var kept = ElementAttributes()
    if isFirst { kept.id = writer.claim("hl-" + key) }
    kept.set("class", "hl hl-" + color)
    kept.set("data-hl", key)
    return .highlight(writer.openInline("mark", kept))
  }

  private func beginInsideNote(_ name: String, _ attributes: HTMLAttributes) -> Ending {
    if name == "script" || name == "style" { return skip() }
    if name == "a", let href = attributes["href"], href.hasPrefix("#note-") {
      highlights.note?.key = String(href.dropFirst(6))
      highlights.note?.text = attributes["title"]
    }
    return .nothing
  }

  func writeNote() {
    guard let note = highlights.note else { return }
    highlights.note = nil
    guard let raw = note.key, !raw.isEmpty else { return }
    let key = SafeIdentifier.key(raw)
    let text = note.text ?? ""
    highlights.add(note: text, to: key, color: HighlightTracker.color(note.color))
    var bytes = Array("<sup class=\"hl-note\"".utf8)
    if writer.isActive("a") {
      bytes.appendAttribute("data-hl", key)
      bytes.appendAttribute("title", text)
      bytes += ">✎</sup>".utf8
    } else {
      bytes += "><a".utf8
      bytes.appendAttribute("href", "#note-" + key)
      bytes.appendAttribute("title", text)
      bytes += ">✎</a></sup>".utf8
    }
    _ = writer.writeAtom(bytes)
  }
}
