import ArchiverCore

// Highlights and their notes.
extension SanitizingSession {
  func beginHighlight(_ rule: ElementRule, _ attributes: HTMLAttributes) -> Ending {
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
    default: return beginHighlightElement(attributes)
    }
  }

  /// Begins an element of the source's own.
  private func beginHighlightElement(_ attributes: HTMLAttributes) -> Ending {
    guard let form = options.highlightElement else { return .nothing }
    let id = attributes["id"].map { id in
      id.hasPrefix(form.idPrefix) ? String(id.dropFirst(form.idPrefix.count)) : id
    }
    let color = attributes[form.color]
    guard let key = attributes[form.key] ?? id, !key.isEmpty else {
      return beginInline("mark", nests: false, HTMLAttributes())
    }
    if attributes[form.note] != nil {
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

  func beginInsideNote(_ name: String, _ attributes: HTMLAttributes) -> Ending {
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
      bytes.appendAttribute("target", "_self")
      bytes.appendAttribute("title", text)
      bytes += ">✎</a></sup>".utf8
    }
    _ = writer.writeAtom(bytes)
  }
}
