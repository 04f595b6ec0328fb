package import ArchiverCore

/// Finds and replaces the links of canonical HTML.
///
/// A link made local is followed by an empty link of class `origin` to its original target, from
/// which the first form can be restored.
package enum LinkRewriter {
  private static let links = Pattern(#"<a [^<>]*?href="(https?://[^"<>]*+)"[^<>]*+>"#)
  private static let anchors = Pattern(
    #"<(?:a (class="origin" )?(?:[^<>]*? )?href="([^"<>]*+)"[^<>]*+|/a)>"#)

  /// One link to the network.
  package struct Link: Sendable, Hashable {
    package var url: WebURL
    /// The byte range of the start tag.
    package var tag: Range<Int>
    /// The byte range of the URL inside its quotes, escaped as in canonical HTML.
    package var address: Range<Int>
  }

  /// Returns the links with an http or https URL, in document order.
  package static func links(in canonical: [UInt8]) -> [Link] {
    canonical.withUnsafeBufferPointer { bytes in
      var found = [Link]()
      links.matches(in: bytes) { match in
        guard let address = match[1], let url = WebURL(CanonicalValue.decoded(bytes[address]))
        else { return }
        found.append(Link(url: url, tag: match.range, address: address))
      }
      return found
    }
  }

  /// Returns the document with each link for which `map` returns a URL, such as another bundle's
  /// relative path, leading there. A small link of class `origin` to the original follows it.
  ///
  /// The links of the document must not have been made local before.
  package static func rewrite(
    _ canonical: [UInt8], map: (WebURL) -> String?
  ) -> [UInt8] {
    let found = links(in: canonical)
    guard !found.isEmpty else { return canonical }
    var result = [UInt8]()
    result.reserveCapacity(canonical.count + found.count * 160)
    var copied = 0
    for (link, end) in zip(found, ends(of: found, in: canonical)) {
      guard let target = map(link.url) else { continue }
      result += canonical[copied..<link.address.lowerBound]
      result.appendEscapedValue(target)
      result += canonical[link.address.upperBound..<end]
      result += origin(canonical[link.address])
      copied = end
    }
    result += canonical[copied...]
    return result
  }

  /// Returns the document with the links of some classes showing the titles that `title` returns,
  /// in place of their text, which may follow an icon. Links with other content stay unchanged.
  package static func retitled(
    _ canonical: [UInt8], _ classes: Set<String>, title: (WebURL) -> String?
  ) -> [UInt8] {
    guard !classes.isEmpty else { return canonical }
    let marks = classes.map { Array("class=\"\($0)\"".utf8) }
    let found = links(in: canonical)
    var result = [UInt8]()
    result.reserveCapacity(canonical.count)
    var copied = 0
    for (link, end) in zip(found, ends(of: found, in: canonical)) {
      guard marks.contains(where: { canonical[link.tag].firstRange(of: $0) != nil }),
        let words = words(from: link.tag.upperBound, to: end, in: canonical),
        let title = title(link.url)
      else { continue }
      result += canonical[copied..<words.lowerBound]
      for byte in title.utf8 where byte >= 0x20 { result.appendEscapedText(byte) }
      copied = words.upperBound
    }
    result += canonical[copied...]
    return result
  }

  /// Returns the text at the end of a link; `nil` without text, or if anything except an icon
  /// precedes it.
  private static func words(
    from start: Int, to end: Int, in canonical: [UInt8]
  ) -> Range<Int>? {
    let closing = Array("</a>".utf8)
    guard end - closing.count > start, canonical[end - closing.count..<end].elementsEqual(closing)
    else { return nil }
    let content = canonical[start..<end - closing.count]
    let first = content.lastIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? start
    guard first < content.endIndex,
      first == start || content[..<first].suffix(7).elementsEqual("</span>".utf8)
    else { return nil }
    return first..<content.endIndex
  }

  /// Returns the document as it was before its links were made local.
  package static func restored(_ canonical: [UInt8]) -> [UInt8] {
    var result = [UInt8]()
    result.reserveCapacity(canonical.count)
    var copied = 0
    for pair in localLinks(in: canonical) {
      result += canonical[copied..<pair.address.lowerBound]
      result += canonical[pair.original]
      result += canonical[pair.address.upperBound..<pair.origin.lowerBound]
      copied = pair.origin.upperBound
    }
    result += canonical[copied...]
    return result
  }

  /// A local link: the range of its URL, and the link after it with the original URL.
  private struct LocalLink {
    var address: Range<Int>
    var origin: Range<Int>
    var original: Range<Int>
  }

  private static func localLinks(in canonical: [UInt8]) -> [LocalLink] {
    canonical.withUnsafeBufferPointer { bytes in
      var found = [LocalLink]()
      var start: Range<Int>?
      var end = -1
      var pending: (address: Range<Int>, tag: Int, original: Range<Int>)?
      anchors.matches(in: bytes) { match in
        guard let address = match[2] else {
          if let link = pending {
            found.append(
              LocalLink(
                address: link.address, origin: link.tag..<match.range.upperBound,
                original: link.original))
          }
          pending = nil
          end = match.range.upperBound
          return
        }
        if match[1] != nil, let start, end == match.range.lowerBound {
          pending = (start, end, address)
        } else {
          pending = nil
        }
        start = address
        end = -1
      }
      return found
    }
  }

  /// Returns the end of each link; links of canonical HTML are not nested.
  private static func ends(of links: [Link], in canonical: [UInt8]) -> [Int] {
    var closings = [Int]()
    canonical.withUnsafeBufferPointer { bytes in
      anchors.matches(in: bytes) { if $0[2] == nil { closings.append($0.range.upperBound) } }
    }
    var next = 0
    return links.map { link in
      while next < closings.count, closings[next] < link.tag.upperBound { next += 1 }
      return next < closings.count ? closings[next] : canonical.count
    }
  }

  /// The URL is copied byte for byte from the document, so that it can be restored.
  private static func origin(_ address: ArraySlice<UInt8>) -> [UInt8] {
    Array("<a class=\"origin\" href=\"".utf8) + address
      + "\" rel=\"noreferrer noopener\" title=\"".utf8 + address
      + "\" aria-label=\"Original\"></a>".utf8
  }
}
