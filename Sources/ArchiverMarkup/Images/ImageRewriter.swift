package import ArchiverCore

/// The replacement of an image in the bundle.
package enum ImageReplacement: Sendable, Hashable {
  /// A file of the bundle, with its size in pixels if known.
  case local(path: String, width: Int?, height: Int?)
  /// A file in a format that not every browser supports; `name` is the format's name.
  case rarelyShown(path: String, mediaType: String, name: String)
  /// The file of a video or audio element, and of a video that of its poster.
  case media(path: String, poster: String?)
  /// A missing image; `reason` is a sentence for the reader.
  case missing(reason: String, originalURL: WebURL?)
  /// Nothing; a video or audio element keeps its link.
  case drop
}

/// Replaces image slots in canonical HTML by local images or by notes about missing ones.
package enum ImageRewriter {
  /// Returns the document with each slot replaced by the result of `resolve` for its index.
  ///
  /// `slots` are those found in exactly these bytes. The result has no URLs on the network in
  /// `src`, `srcset`, `poster` and styles, and is not input for the extractor.
  package static func rewrite(
    _ canonical: [UInt8], slots: [ImageSlot], resolve: (Int) -> ImageReplacement
  ) -> [UInt8] {
    var result = [UInt8]()
    result.reserveCapacity(canonical.count + slots.count * 64)
    var copied = 0
    for (index, slot) in slots.enumerated() {
      precondition(
        slot.range.lowerBound >= copied && slot.range.upperBound <= canonical.count,
        "slots belong to other bytes")
      result += canonical[copied..<slot.range.lowerBound]
      result += replacement(slot, resolve(index))
      copied = slot.range.upperBound
    }
    result += canonical[copied...]
    return result
  }

  private static func replacement(_ slot: ImageSlot, _ replacement: ImageReplacement) -> [UInt8] {
    var html = HTMLWriter()
    switch slot.kind {
    case .image: writeImage(slot, replacement, &html)
    case .video:
      if case .media(let path, let poster) = replacement {
        writeVideo(slot, path, poster, &html)
        break
      }
      if !slot.candidates.isEmpty { writeImage(slot, replacement, &html) }
      writeMediaLink(slot, "Video", &html)
    case .audio: writeSound(slot, replacement, &html)
    case .background: return background(replacement)
    }
    return html.bytes
  }

  private static func writeImage(
    _ slot: ImageSlot, _ replacement: ImageReplacement, _ html: inout HTMLWriter
  ) {
    switch replacement {
    case .local(let path, let width, let height):
      let size = shownSize(slot, width, height)
      html.void(
        "img",
        [
          "src": path, "alt": slot.alt, "title": slot.title,
          "width": size.width.map(String.init), "height": size.height.map(String.init),
          "loading": "lazy", "decoding": "async", "usemap": slot.map, "id": slot.id,
        ])
    case .rarelyShown(let path, let mediaType, let name):
      writeRarelyShown(slot, path, mediaType, name, &html)
    case .missing(let reason, let original):
      writeMissing(slot, reason, original ?? slot.originalURL, &html)
    case .media, .drop:
      if let id = slot.id { html.element("span", ["id": id]) { _ in } }
    }
  }

  /// The declared sides of icons and portraits, which are squares, in pixels. Smaller numbers are often
  /// the ratio of the sides.
  private static let iconSides = 12...64
  /// The maximum sides of the file of an emoji, and its sides in a line of text, in pixels.
  private static let (largestEmoji, emojiSide) = (160, 20)

  /// Returns the size of an image on the page: that of its file, or a smaller one for icons and emoji.
  private static func shownSize(
    _ slot: ImageSlot, _ width: Int?, _ height: Int?
  ) -> (width: Int?, height: Int?) {
    let declared = (width: slot.width, height: slot.height)
    // The areas of a map are in the pixels of the page's size, not in those of the file.
    if slot.map != nil, slot.width != nil { return declared }
    if let side = slot.width, side == slot.height, iconSides.contains(side),
      slot.candidates.count == 1
    {
      return declared
    }
    // SVG files often declare no size, and then fill the width of the text.
    let sides = [width, height, slot.width, slot.height].compactMap(\.self)
    if isEmoji(slot.alt), sides.allSatisfy({ $0 <= largestEmoji }) {
      return (emojiSide, emojiSide)
    }
    return (width ?? slot.width, height ?? slot.height)
  }

  /// Whether a text is one emoji, as the alternative text of an image that represents one.
  private static func isEmoji(_ text: String) -> Bool {
    guard text.utf8.count <= 64, text.count == 1, let first = text.unicodeScalars.first else {
      return false
    }
    // Digits are emoji only together with a keycap.
    return first.properties.isEmoji && (first.value > 0xFF || text.unicodeScalars.count > 1)
  }

  private static func writeVideo(
    _ slot: ImageSlot, _ path: String, _ poster: String?, _ html: inout HTMLWriter
  ) {
    html.element(
      "video",
      [
        "src": path, "poster": poster, "controls": "", "preload": "metadata",
        "width": slot.width.map(String.init), "height": slot.height.map(String.init),
      ]
    ) { _ in }
  }

  /// Writes an image in a format that only some browsers support, with a link to its file for the
  /// others. Without `src` these show the alternative text rather than a broken image.
  private static func writeRarelyShown(
    _ slot: ImageSlot, _ path: String, _ mediaType: String, _ format: String,
    _ html: inout HTMLWriter
  ) {
    let name = slot.alt.isEmpty ? MissingImageText.unshown : slot.alt
    html.element("span", ["class": MissingImageText.className, "id": slot.id]) { html in
      html.element("span", ["role": "img", "aria-label": name]) { html in
        html.element("picture") { html in
          html.void("source", ["srcset": WebURL.percentEncodedPath(path), "type": mediaType])
          html.void("img", ["alt": name])
        }
      }
      html.text(" ")
      if slot.isInLink {
        html.text(path)
      } else {
        html.element("a", ["href": WebURL.percentEncodedPath(path)], text: format)
      }
      html.text(" ")
      html.element("small", text: "(not every browser shows this format)")
    }
  }

  private static func writeMissing(
    _ slot: ImageSlot, _ reason: String, _ original: WebURL?, _ html: inout HTMLWriter
  ) {
    let name = slot.alt.isEmpty ? MissingImageText.nameless : slot.alt
    html.element("span", ["class": MissingImageText.className, "id": slot.id]) { html in
      // Inside the link, not around it: screen readers do not announce the content of an image.
      html.element("span", ["role": "img", "aria-label": name], text: name)
      if let original {
        html.text(" ")
        writeLink("original", original, slot, &html)
      }
      html.text(" ")
      html.element("small", text: "(\(reason))")
    }
  }

  /// Writes a link, or only its URL inside another link.
  private static func writeLink(
    _ text: String, _ url: WebURL, _ slot: ImageSlot, _ html: inout HTMLWriter
  ) {
    guard !slot.isInLink else { return html.text(url.absoluteString) }
    html.element(
      "a", ["href": url.absoluteString, "rel": "noreferrer noopener"], text: text)
  }

  private static func writeMediaLink(_ slot: ImageSlot, _ name: String, _ html: inout HTMLWriter) {
    guard let media = slot.media else { return }
    html.text(" ")
    writeLink("\(name): \(media.absoluteString)", media, slot, &html)
  }

  private static func writeSound(
    _ slot: ImageSlot, _ replacement: ImageReplacement, _ html: inout HTMLWriter
  ) {
    if case .media(let path, _) = replacement {
      html.element("audio", ["src": path, "controls": "", "preload": "none"]) { _ in }
    } else {
      writeMediaLink(slot, "Audio", &html)
    }
  }

  private static func background(_ replacement: ImageReplacement) -> [UInt8] {
    guard case .local(let path, _, _) = replacement else { return [] }
    var bytes = Array("background-image:url(".utf8)
    bytes.appendEscapedValue(WebURL.percentEncodedPath(path))
    return bytes + ");".utf8
  }
}

extension WebURL {
  /// Returns a relative path with every segment percent-encoded.
  fileprivate static func percentEncodedPath(_ path: String) -> String {
    path.split(separator: "/", omittingEmptySubsequences: false)
      .map { percentEncoded(String($0)) }.joined(separator: "/")
  }
}
