import ArchiverCore

/// Finds the images of canonical HTML with regular expressions.
///
/// The expressions are exact because of the canonical form: an unescaped `<` begins a tag, and
/// values are in double quotes without `<`, `>` and `"`. `HTMLSanitizer` has already resolved URLs
/// and processed `srcset`, lazy-loading attributes and `picture`.
package enum ImageExtractor {
  private static let images = Pattern("<img [^<>]*+>")
  private static let media = Pattern("<(?:video|audio) [^<>]*+></(?:video|audio)>")
  private static let backgrounds = Pattern(#" style="(background-image:url\(([^()"<>]*+)\);?)"#)
  static let attribute = Pattern(#" ([a-z-]++)="([^"<>]*+)""#)

  /// Returns the images of sanitised HTML in document order.
  package static func references(in canonical: [UInt8]) -> ImageReferences {
    canonical.withUnsafeBufferPointer { bytes in
      var slots = [ImageSlot]()
      images.matches(in: bytes) { slots.append(imageSlot(bytes, $0.range)) }
      media.matches(in: bytes) { match in
        let isVideo = bytes[match.range.lowerBound + 1] == UInt8(ascii: "v")
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
  ) -> TagAttributes {
    var found = TagAttributes(bytes)
    attribute.matches(in: bytes, range: range) { match in
      guard let name = match[1], let value = match[2] else { return }
      found.places.append((name, value))
    }
    return found
  }

  /// Marks images inside links: the last link tag before them is a start tag.
  private static func markLinks(
    _ slots: inout [ImageSlot], _ bytes: UnsafeBufferPointer<UInt8>
  ) {
    var isOpen = false
    var looked = 0
    for index in slots.indices {
      let position = slots[index].range.lowerBound
      if let opens = lastLinkOpens(in: looked..<position, bytes) { isOpen = opens }
      slots[index].isInLink = isOpen
      looked = position
    }
  }

  /// Returns whether the last link tag in a part of the bytes is a start tag; `nil` without a link
  /// tag.
  private static func lastLinkOpens(
    in range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>
  ) -> Bool? {
    var end = range.upperBound
    while let tag = bytes[range.lowerBound..<end].lastIndex(of: 0x3C) {
      // The shortest tag is `<p>`; a link's end tag is one byte longer.
      if bytes[tag + 1] == 0x61, bytes[tag + 2] == 0x20 { return true }
      if bytes[tag + 1] == 0x2F, bytes[tag + 2] == 0x61, bytes[tag + 3] == 0x3E { return false }
      end = tag
    }
    return nil
  }
}

/// The attributes of a canonical tag, decoded on access.
struct TagAttributes {
  private let bytes: UnsafeBufferPointer<UInt8>
  /// The ranges of names and values; names are unique.
  fileprivate(set) var places: [(name: Range<Int>, value: Range<Int>)] = []

  fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    places.reserveCapacity(8)
  }

  /// Returns a value; `nil` if the tag does not have the attribute.
  subscript(name: StaticString) -> String? {
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    for place in places where place.name.count == wanted.count {
      let found = UnsafeBufferPointer(rebasing: bytes[place.name])
      if found.elementsEqual(wanted) { return CanonicalValue.decoded(bytes[place.value]) }
    }
    return nil
  }
}

/// Distinguishes attributes from text that looks like one, in linear time.
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
