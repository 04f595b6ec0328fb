import ArchiverCore

// Images, pictures, videos and sounds.
extension SanitizingSession {
  func beginImage(
    _ rule: ElementRule, _ name: String, _ attributes: HTMLAttributes
  ) throws(MarkupError) -> Ending {
    switch rule {
    case .image:
      try show(pictured(ImageMarkup(attributes, &resolver)))
    case .picture:
      guard images.picture == nil else { return .nothing }
      images.picture = ImageTracker.Picture()
      return .picture
    case .source: noteSource(attributes)
    case .media:
      beginMedia(name, attributes)
      return .media
    case .noscript:
      images.noscript = []
      return .noscript
    default: break
    }
    return .nothing
  }

  /// Begins an element inside `noscript`, `video` or `audio`, where only images and sources count.
  func beginInsideStandIn(
    _ rule: ElementRule?, _ name: String, _ attributes: HTMLAttributes
  ) throws(MarkupError) -> Ending {
    switch rule {
    case .script, .drop: return skip()
    case .source: noteSource(attributes)
    case .image where images.noscript != nil:
      let markup = pictured(ImageMarkup(attributes, &resolver))
      images.noscript?.append(markup)
    default: break
    }
    return .nothing
  }

  /// Adds what the open `picture` offers to its first image.
  private func pictured(_ markup: ImageMarkup) -> ImageMarkup {
    guard let picture = images.picture, !picture.hasImage else { return markup }
    images.picture?.hasImage = true
    var markup = markup
    let known = Set(picture.candidates.map(\.url))
    let own = markup.candidates.filter { !known.contains($0.url) }
    markup.candidates = Array((picture.candidates + own).prefix(SourceSet.most))
    markup.dropPlaceholders()
    return markup
  }

  private func noteSource(_ attributes: HTMLAttributes) {
    if let media = images.media {
      let source = media.source ?? attributes["src"].flatMap { resolver.web($0) }
      images.media?.source = source
      return
    }
    guard images.picture != nil, isUsable(attributes) else { return }
    var markup = ImageMarkup()
    markup.candidates = images.picture?.candidates ?? []
    for name in ["data-srcset", "data-lazy-srcset", "srcset"] {
      if let value = attributes[name] { markup.add(SourceSet(value), &resolver) }
    }
    images.picture?.candidates = markup.candidates
  }

  private func isUsable(_ source: HTMLAttributes) -> Bool {
    let type = source["type"]?.lowercased() ?? ""
    let media = source["media"]?.lowercased().filter { $0 != " " } ?? ""
    return !["image/jxl", "image/heic", "image/heif", "image/jp2"].contains(type)
      && !media.contains("prefers-color-scheme:dark") && media != "print"
  }

  func finishPicture() throws(MarkupError) {
    guard let picture = images.picture else { return }
    images.picture = nil
    guard !picture.hasImage, !picture.candidates.isEmpty else { return }
    var markup = ImageMarkup()
    markup.candidates = picture.candidates
    try place(markup, fromNoscript: false)
  }

  private func beginMedia(_ name: String, _ attributes: HTMLAttributes) {
    var media = ImageTracker.Media(name: name)
    for source in ["src", "data-src", "data-video-src"] where media.source == nil {
      media.source = attributes[source].flatMap { resolver.web($0) }
    }
    for poster in ["poster", "data-poster"] where media.poster == nil {
      media.poster = attributes[poster].flatMap { resolver.image($0) }
    }
    media.width = ImageMarkup.pixels(attributes["width"])
    media.height = ImageMarkup.pixels(attributes["height"])
    images.media = media
  }

  func finishMedia() throws(MarkupError) {
    guard let media = images.media else { return }
    images.media = nil
    // The poster of a sound is shown nowhere.
    guard media.source != nil || (media.poster != nil && media.name == "video") else { return }
    try requireRoom()
    countMedia()
    var bytes = Array("<\(media.name)".utf8)
    if let source = media.source { bytes.appendAttribute("src", source) }
    if media.name == "video" {
      if let poster = media.poster { bytes.appendAttribute("poster", poster) }
      if let width = media.width { bytes.appendAttribute("width", String(width)) }
      if let height = media.height { bytes.appendAttribute("height", String(height)) }
    }
    bytes.appendAttribute("controls", "")
    bytes += "></\(media.name)>".utf8
    _ = writer.writeAtom(bytes)
  }

  func finishNoscript() throws(MarkupError) {
    let found = images.noscript ?? []
    images.noscript = nil
    for markup in found { try place(markup, fromNoscript: true) }
  }

  func show(_ markup: ImageMarkup) throws(MarkupError) {
    try place(markup, fromNoscript: false)
  }

  /// Throws when the page has all the images that it may have; a film counts for its poster.
  private func requireRoom() throws(MarkupError) {
    guard pictureCount < options.limits.images else {
      throw .limit(
        .tooManyImages, "The HTML has too many images", .images, options.limits.images)
    }
  }

  private func place(_ markup: ImageMarkup, fromNoscript: Bool) throws(MarkupError) {
    if markup.isTrackingPixel {
      dropped.trackingPixels += 1
      return
    }
    let alt = markup.alt ?? ""
    guard markup.hasAddress || !alt.isEmpty, !isDouble(markup, fromNoscript) else { return }
    try requireRoom()
    images.count += 1
    if images.firstAlt == nil, !alt.isEmpty { images.firstAlt = alt }
    let range = writer.writeAtom(markup.canonical)
    images.last = ImageTracker.Written(
      markup: markup, range: range, textCount: writer.text.count, isFromNoscript: fromNoscript)
  }

  /// Whether the image is the same as the one before, once for a script and once without.
  private func isDouble(_ markup: ImageMarkup, _ fromNoscript: Bool) -> Bool {
    guard let last = images.last, last.textCount == writer.text.count else { return false }
    let sharesAddress = !last.markup.addresses().isDisjoint(with: markup.addresses())
    if last.isFromNoscript { return !fromNoscript && (markup.isLazy || sharesAddress) }
    guard fromNoscript, last.markup.isLazy || sharesAddress else { return false }
    complete(last, with: markup)
    return true
  }

  /// Adds the address for browsers without scripts to the image written last.
  private func complete(_ last: ImageTracker.Written, with markup: ImageMarkup) {
    guard writer.output.count == last.range.upperBound else { return }
    var merged = last.markup
    if let source = markup.source, !merged.addresses().contains(source) { merged.source = source }
    if merged.candidates.isEmpty { merged.candidates = markup.candidates }
    if (merged.alt ?? "").isEmpty { merged.alt = markup.alt }
    merged.width = merged.width ?? markup.width
    merged.height = merged.height ?? markup.height
    merged.dropPlaceholders()
    images.last?.markup = merged
    images.last?.range = writer.replaceAtom(last.range, with: merged.canonical)
  }
}
