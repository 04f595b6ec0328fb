import ArchiverCore

// Images, `picture`, video and audio.
extension SanitizingSession {
  func beginImage(
    _ rule: ElementRule, _ name: String, _ attributes: HTMLAttributes
  ) throws(MarkupError) -> Ending {
    switch rule {
    case .image where isForTextOnly: break
    // A rendering of the formula that was just written.
    case .image where followsFormula && isDrawnFormula(attributes): break
    case .image:
      try show(pictured(ImageMarkup(attributes, &resolver)))
    case .map:
      guard images.map == nil else { return .nothing }
      noteAnchor(attributes)
      images.map = AreaMap(name: attributes["name"].flatMap(SafeIdentifier.id))
      return .map
    case .area: noteArea(attributes)
    case .picture:
      guard images.picture == nil else { return .nothing }
      images.picture = ImageTracker.Picture()
      return .picture
    case .source: noteSource(attributes)
    case .media:
      beginMedia(name, attributes)
      return .media
    case .noscript:
      images.noscriptDepth += 1
      return .noscript
    default: break
    }
    return .nothing
  }

  private func isDrawnFormula(_ attributes: HTMLAttributes) -> Bool {
    attributes["class"]?.hasPrefix("mwe-math-fallback-image") ?? false
  }

  /// Begins an element in the fallback content of a video, an audio element or an `object`.
  func beginInsideStandIn(
    _ rule: ElementRule?, _ name: String, _ attributes: HTMLAttributes
  ) throws(MarkupError) -> Ending {
    switch rule {
    case .script, .drop: return skip()
    case .source: noteSource(attributes)
    case .image where images.object != nil: noteFallback(ImageMarkup(attributes, &resolver))
    case .track: noteTrack(attributes)
    case nil where name == "param": break
    default:
      guard images.media?.source == nil, images.object == nil else { break }
      // A video without a URL shows its fallback content.
      try finishMedia()
      return try begin(name, attributes)
    }
    return .nothing
  }

  /// Writes text in fallback content.
  func writeStandIn(_ text: UnsafeBufferPointer<UInt8>) throws(MarkupError) {
    if images.object != nil {
      images.object?.words += text
    } else if images.media?.source == nil, !text.allSatisfy(TextByte.isSpace) {
      try finishMedia()
      writer.write(text)
    }
  }

  /// The image inside an `object` is its fallback.
  private func noteFallback(_ markup: ImageMarkup) {
    guard var object = images.object else { return }
    if object.markup.lazySource == nil, let address = markup.source ?? markup.lazySource {
      object.markup.lazySource = object.markup.source
      object.markup.source = address
    }
    if (object.markup.alt ?? "").isEmpty { object.markup.alt = markup.alt }
    images.object = object
  }

  private func noteArea(_ attributes: HTMLAttributes) {
    guard images.map != nil, let address = attributes["href"] else { return }
    guard let target = resolver.link(address) else { return noteDroppedLink(address) }
    images.map?.add(attributes, to: target)
  }

  func finishMap() {
    guard let map = images.map else { return }
    images.map = nil
    guard let name = map.name, !map.bytes.isEmpty, images.maps.insert(name).inserted else { return }
    var bytes = Array("<map".utf8)
    bytes.appendAttribute("name", name)
    bytes.append(0x3E)
    _ = writer.writeAtom(bytes + map.bytes + Array("</map>".utf8))
  }

  /// Adds the sources of the open `picture` to its first image.
  private func pictured(_ markup: ImageMarkup) -> ImageMarkup {
    guard let picture = images.picture, !picture.hasImage else { return markup }
    images.picture?.hasImage = true
    var markup = markup
    if picture.candidates.isEmpty {
      if !markup.hasPicture { markup.candidates = picture.unchosen }
    } else {
      // The image's own candidates have another crop or size; one of them suffices as a fallback.
      if markup.source == nil || markup.source.map(ImageMarkup.isPlaceholder) == true {
        markup.source = markup.candidates.first?.url ?? picture.later.first?.url ?? markup.source
      }
      markup.candidates = picture.candidates
    }
    markup.dropPlaceholders()
    markup.fitMap()
    return markup
  }

  private func noteSource(_ attributes: HTMLAttributes) {
    if let media = images.media {
      let address = attributes["src"] ?? attributes["data-src"]
      images.media?.source = media.source ?? address.flatMap { resolver.web($0) }
      return
    }
    guard let picture = images.picture else { return }
    var markup = ImageMarkup()
    for name in ["data-srcset", "data-lazy-srcset", "srcset"] {
      if let value = attributes[name] { markup.add(SourceSet(value), &resolver) }
    }
    if markup.candidates.isEmpty, let found = LazySource.find(attributes) {
      markup.add(SourceSet(found.value), &resolver)
    }
    let found = markup.candidates
    if !isChosen(attributes) {
      images.picture?.unchosen += found.prefix(SourceSet.most - picture.unchosen.count)
    } else if picture.candidates.isEmpty {
      images.picture?.candidates = found
      images.picture?.isAVIF = ImageTracker.type(attributes) == "image/avif"
    } else if picture.isAVIF, ImageTracker.type(attributes) != "image/avif" {
      // The same image in a format that books may contain (EPUB 3.3, core media types) comes first
      // among those of the same size.
      images.picture?.candidates = Array(
        (found + picture.candidates).prefix(SourceSet.most))
      images.picture?.isAVIF = false
    } else {
      images.picture?.later += found.prefix(SourceSet.most - picture.later.count)
    }
  }

  /// Whether the source is for a wide, light screen and of a type that all browsers support.
  private func isChosen(_ source: HTMLAttributes) -> Bool {
    return !["image/jxl", "image/heic", "image/heif", "image/jp2", "image/jpx", "image/tiff"]
      .contains(ImageTracker.type(source)) && MediaCondition.isMet(source["media"] ?? "")
  }

  func finishPicture() throws(MarkupError) {
    guard let picture = images.picture else { return }
    images.picture = nil
    let candidates = picture.candidates.isEmpty ? picture.unchosen : picture.candidates
    guard !picture.hasImage, !candidates.isEmpty else { return }
    var markup = ImageMarkup()
    markup.candidates = candidates
    markup.source = picture.later.first?.url
    try place(markup, fromNoscript: false)
  }

  func show(_ markup: ImageMarkup) throws(MarkupError) {
    try place(markup, fromNoscript: images.noscriptDepth > 0)
  }

  /// Throws if the page has the maximum number of images; a video counts for its poster.
  func requireRoom() throws(MarkupError) {
    guard pictureCount < options.limits.images else {
      throw .limit(
        .tooManyImages, "the HTML has too many images", .images, options.limits.images)
    }
  }

  func place(_ markup: ImageMarkup, fromNoscript: Bool) throws(MarkupError) {
    var markup = markup
    markup.id = writer.claim(markup.id)
    if markup.isTrackingPixel {
      dropped.trackingPixels += 1
      return keepAnchor(markup)
    }
    let alt = markup.alt ?? ""
    guard markup.hasAddress || !alt.isEmpty else { return keepAnchor(markup) }
    if isDouble(markup, fromNoscript) {
      if images.last?.markup.id != markup.id { keepAnchor(markup) }
      return
    }
    try requireRoom()
    images.count += 1
    if images.firstAlt == nil, !alt.isEmpty { images.firstAlt = alt }
    let range = writer.writeAtom(markup.canonical)
    images.last = ImageTracker.Written(
      markup: markup, range: range, textCount: writer.text.count, isFromNoscript: fromNoscript)
  }

  private func keepAnchor(_ markup: ImageMarkup) {
    if let id = markup.id, writer.canHoldInline { writer.writeClaimedAnchor(id) }
  }

  /// Whether the image is the same as the previous one, once for scripts and once in `noscript`.
  private func isDouble(_ markup: ImageMarkup, _ fromNoscript: Bool) -> Bool {
    guard let last = images.last, last.textCount == writer.text.count else { return false }
    let sharesAddress = !last.markup.addresses().isDisjoint(with: markup.addresses())
    let sharesWords = !(markup.alt ?? "").isEmpty && markup.alt == last.markup.alt
    if last.isFromNoscript {
      return !fromNoscript && (markup.isLazy || sharesAddress || sharesWords)
    }
    guard fromNoscript, last.markup.isLazy || sharesAddress || sharesWords else { return false }
    complete(last, with: markup)
    return true
  }

  /// Adds the URL in `noscript` to the last image.
  private func complete(_ last: ImageTracker.Written, with markup: ImageMarkup) {
    var merged = last.markup
    if let source = markup.source, !merged.addresses().contains(source) {
      // If both are real, the one in `noscript` is the image, and the other a blurred preview.
      if merged.lazySource == nil, let own = merged.source, !ImageMarkup.isPlaceholder(own) {
        merged.lazySource = source
      } else {
        merged.source = source
      }
    }
    if merged.candidates.isEmpty { merged.candidates = markup.candidates }
    if (merged.alt ?? "").isEmpty { merged.alt = markup.alt }
    merged.width = merged.width ?? markup.width
    merged.height = merged.height ?? markup.height
    merged.dropPlaceholders()
    images.last?.markup = merged
    merged.id = merged.id ?? markup.id
    images.last?.range = writer.replaceAtom(last.range, with: merged.canonical)
  }
}
