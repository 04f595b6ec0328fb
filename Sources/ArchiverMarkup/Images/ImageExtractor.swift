import ArchiverCore

/// Finds the images of canonical HTML with regular expressions.
///
/// They are exact because the form is: in canonical HTML an unescaped `<` begins a tag, values are
/// in double quotes and hold no `<`, `>` or `"`. `HTMLSanitizer` has already resolved addresses, read
/// `srcset`, lazy-loading attributes and `picture`, so what is left here is finding and ranking.
package enum ImageExtractor {
  private static let images = Pattern("<img [^<>]*+>")
  private static let media = Pattern("<(video|audio) [^<>]*+></(?:video|audio)>")
  private static let backgrounds = Pattern(#" style="(background-image:url\(([^()"<>]*+)\);?)"#)
  private static let links = Pattern("<(?:a [^<>]*+|/a)>")
  static let attribute = Pattern(#" ([a-z-]++)="([^"<>]*+)""#)

  /// Returns the images of the sanitiser's output in document order.
  package static func references(in canonical: [UInt8]) -> ImageReferences {
    canonical.withUnsafeBufferPointer { bytes in
      var slots = [ImageSlot]()
      images.matches(in: bytes) { slots.append(imageSlot(bytes, $0.range)) }
      media.matches(in: bytes) { match in
        let isVideo = match[1]?.count == 5 && bytes[match.range.lowerBound + 1] == 0x76
        slots.append(mediaSlot(bytes, match.range, isVideo ? .video : .audio))
      }
      var checked = TagCheck()
      backgrounds.matches(in: bytes) { match in
        guard checked.isInTag(match.range.lowerBound, bytes), let range = match[1],
          let address = match[2]
        else { return }
        slots.append(backgroundSlot(bytes, range, address))
      }
      slots.sort { $0.range.lowerBound < $1.range.lowerBound }
      markLinks(&slots, bytes)
      return ImageReferences(slots: slots)
    }
  }

  private static func imageSlot(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> ImageSlot {
    let attributes = attributes(bytes, range)
    var slot = ImageSlot(
      kind: .image, range: range, candidates: [], alt: attributes["alt"] ?? "",
      title: attributes["title"], width: attributes["width"].flatMap { Int($0) },
      height: attributes["height"].flatMap { Int($0) }, isInLink: false)
    slot.id = attributes["id"]
    slot.map = attributes["usemap"]
    slot.candidates = ImageRanking.best(
      set: attributes["srcset"].map { SourceSet($0).candidates } ?? [],
      lazy: attributes["data-src"], source: attributes["src"])
    return slot
  }

  private static func mediaSlot(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ kind: ImageSlot.Kind
  ) -> ImageSlot {
    let attributes = attributes(bytes, range)
    return ImageSlot(
      kind: kind, range: range,
      candidates: ImageRanking.best(set: [], lazy: nil, source: attributes["poster"]), alt: "",
      width: attributes["width"].flatMap { Int($0) },
      height: attributes["height"].flatMap { Int($0) },
      media: attributes["src"].flatMap { WebURL($0) }, isInLink: false)
  }

  private static func backgroundSlot(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ address: Range<Int>
  ) -> ImageSlot {
    let url = CanonicalValue.decoded(bytes[address])
    return ImageSlot(
      kind: .background, range: range,
      candidates: ImageRanking.best(set: [], lazy: nil, source: url), alt: "", isInLink: false)
  }

  static func attributes(
    _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> [String: String] {
    var found = [String: String]()
    attribute.matches(in: bytes, range: range) { match in
      guard let name = match[1], let value = match[2] else { return }
      found[String(decoding: bytes[name], as: UTF8.self)] = CanonicalValue.decoded(bytes[value])
    }
    return found
  }

  private static func markLinks(
    _ slots: inout [ImageSlot], _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    guard !slots.isEmpty else { return }
    var next = 0
    var isOpen = false
    links.matches(in: bytes) { match in
      while next < slots.count, slots[next].range.lowerBound < match.range.lowerBound {
        slots[next].isInLink = isOpen
        next += 1
      }
      isOpen = bytes[match.range.lowerBound + 1] != 0x2F
    }
  }
}

/// Tells text that looks like an attribute from an attribute, looking at each byte once.
private struct TagCheck {
  private var position = 0
  private var isInside = false

  mutating func isInTag(_ offset: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = offset
    while index > position {
      index -= 1
      if bytes[index] == 0x3C || bytes[index] == 0x3E {
        isInside = bytes[index] == 0x3C
        break
      }
    }
    position = offset
    return isInside
  }
}
