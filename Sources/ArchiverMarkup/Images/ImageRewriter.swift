package import ArchiverCore

/// The replacement of an image in the bundle.
package enum ImageReplacement: Sendable, Hashable {
  /// A file of the bundle; pixels where they are known.
  case local(path: String, width: Int?, height: Int?)
  /// A file of the bundle in a format that only some browsers show; `name` is what people call it.
  case rarelyShown(path: String, mediaType: String, name: String)
  /// For a video or sound its file in the bundle and, of a video, that of its poster.
  case media(path: String, poster: String?)
  /// The image is missing; `reason` is a sentence for the reader.
  case missing(reason: String, originalURL: WebURL?)
  /// Nothing; of a video or sound the link to it stays.
  case drop
}

/// Puts local images, or words about missing ones, where canonical HTML shows images.
package enum ImageRewriter {
  /// Returns the document with each slot replaced by what `resolve` gives for its index.
  ///
  /// `slots` are those found in these very bytes. The result is no longer meant for the extractor:
  /// no address on the network is left in `src`, `srcset`, `poster` or a style.
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
      // The areas of a map count in the pixels that the page wanted, not in those of the file.
      let isMapped = slot.map != nil && slot.width != nil
      html.void(
        "img",
        [
          "src": path, "alt": slot.alt, "title": slot.title,
          "width": (isMapped ? slot.width : width ?? slot.width).map(String.init),
          "height": (isMapped ? slot.height : height ?? slot.height).map(String.init),
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

  /// Writes a picture that some browsers show, with a link to its file for the others. Without a `src`
  /// these show the words in place of a broken picture.
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

  /// Writes a link, or its address alone where a link stands around it already.
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
