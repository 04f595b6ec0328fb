import ArchiverCore

// Embedded content, which an archived page cannot show.
extension SanitizingSession {
  private static let deepestDocument = 3
  private static let mostDocuments = 100

  func beginEmbed(
    _ rule: ElementRule, _ name: String, _ attributes: HTMLAttributes
  ) throws(MarkupError) -> Ending {
    noteAnchor(attributes)
    if case .object = rule { return try beginObject(attributes) }
    if name == "embed", let source = attributes["src"], isPicture(source, attributes["type"]) {
      var markup = ImageMarkup()
      markup.source = resolver.image(source)
      markup.alt = attributes["title"]
      try show(markup)
      return .nothing
    }
    dropped.embeds += 1
    countLoss(.embed)
    if !isHidden(attributes) {
      if let document = attributes["srcdoc"], !document.isEmpty {
        try writeInner(Array(document.utf8))
      } else {
        writeEmbed(attributes)
      }
    }
    // The content of an `iframe` is never displayed.
    return name == "iframe" ? skip() : .nothing
  }

  private func writeEmbed(_ attributes: HTMLAttributes) {
    let named = ["src", "data-src", "data-lazy-src"].compactMap { attributes[$0] }
    // Consent and lazy-loading scripts have the URL in attributes of their own.
    let others = attributes.items.filter { item in
      item.name.hasPrefix("data-")
        && (item.name.contains("src") || ["http", "//"].contains(where: item.value.hasPrefix))
    }.map(\.value)
    for source in named + others {
      guard let address = resolver.web(source) else { continue }
      if address != images.embedded { writeEmbed(address, title: attributes["title"]) }
      return
    }
  }

  /// Writes a link for an element that a script would turn into a player; returns whether it is
  /// one.
  func writePlayer(_ name: String, _ attributes: HTMLAttributes) -> Bool {
    guard let address = PlayerElement.address(name, attributes).flatMap({ resolver.web($0) }) else {
      return false
    }
    dropped.embeds += 1
    countLoss(.embed)
    writeEmbed(address)
    return true
  }

  /// Sanitises markup from an attribute or text as a part of this document.
  func writeInner(_ document: [UInt8]) throws(MarkupError) {
    guard innerDocuments < SanitizingSession.deepestDocument,
      innerDocumentCount < SanitizingSession.mostDocuments
    else { return countLoss(.embed) }
    innerDocuments += 1
    innerDocumentCount += 1
    defer { innerDocuments -= 1 }
    let input = try InputPreparation.prepare(document, limits: options.limits)
    let block = writer.openBlock("div", .division)
    let outer = writer.whiteSpace
    writer.whiteSpace = .collapsed
    try read(input)
    writer.whiteSpace = outer
    if let block { writer.closeBlock(block) } else { writer.separate() }
  }

  private func beginObject(_ attributes: HTMLAttributes) throws(MarkupError) -> Ending {
    guard let data = attributes["data"] else { return .nothing }
    dropped.embeds += 1
    countLoss(.embed)
    if isPicture(data, attributes["type"]) {
      var markup = ImageMarkup(usemap: attributes)
      markup.source = resolver.image(data)
      markup.alt = attributes["title"]
      try requireRoom()
      images.object = (markup, [])
      return .objectImage
    }
    if !isHidden(attributes), let address = resolver.web(data) {
      writeEmbed(address, title: attributes["title"])
      images.embedded = address
    }
    // Fallback content describes what is not displayed.
    return .nothing
  }

  func finishObjectImage() throws(MarkupError) {
    guard let object = images.object else { return }
    images.object = nil
    var markup = object.markup
    let words = object.words.split(whereSeparator: TextByte.isSpace).joined(separator: [0x20])
    if (markup.alt ?? "").isEmpty { markup.alt = String(decoding: Array(words), as: UTF8.self) }
    try place(markup, fromNoscript: false)
  }

  /// Whether a URL without an image type has the name of an image.
  private func isPicture(_ address: String, _ type: String?) -> Bool {
    if let type, !type.isEmpty { return type.lowercased().hasPrefix("image/") }
    let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased()
    return [".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif"].contains {
      path.hasSuffix($0)
    }
  }

  private func isHidden(_ attributes: HTMLAttributes) -> Bool {
    let style = attributes["style"]?.lowercased().filter { $0 != " " } ?? ""
    let sides = [attributes["width"], attributes["height"]].map(ImageMarkup.pixels)
    return style.contains("display:none") || style.contains("visibility:hidden")
      || sides.allSatisfy { $0.map { $0 <= 1 } ?? false }
  }

  func writeEmbed(_ address: String, title: String? = nil) {
    var paragraph = ElementAttributes()
    paragraph.set("class", "embed")
    let block = writer.openBlock("p", .paragraph, paragraph)
    var link = ElementAttributes()
    if let title, !title.isEmpty { link.set("title", title) }
    link.set("href", address)
    link.set("rel", "noreferrer noopener")
    let inline = writer.isActive("a") ? nil : writer.openInline("a", link)
    writer.write("Embedded content: \(address)")
    if let inline { writer.closeInline(inline) }
    if let block { writer.closeBlock(block) } else { writer.separate() }
  }
}
