package import ArchiverCore

/// Finds and replaces the links of canonical HTML.
package enum LinkRewriter {
  private static let links = Pattern(#"<a [^<>]*?href="(https?://[^"<>]*+)"[^<>]*+>"#)
  private static let ends = Pattern("</a>")

  /// One link to the network.
  package struct Link: Sendable, Hashable {
    package var url: WebURL
    /// The bytes of the start tag.
    package var tag: Range<Int>
    /// The bytes of the address inside its quotes, escaped as canonical HTML is.
    package var address: Range<Int>
  }

  /// Returns the links with an http or https address, in document order.
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

  /// Returns the document with each link that `map` knows leading to the address it gives, such as
  /// another bundle's relative path; a small link to the original, of class `origin`, follows it.
  package static func rewrite(
    _ canonical: [UInt8], map: (WebURL) -> String?
  ) -> [UInt8] {
    var result = [UInt8]()
    result.reserveCapacity(canonical.count)
    var copied = 0
    for (link, end) in zip(links(in: canonical), linkEnds(canonical)) {
      guard let target = map(link.url) else { continue }
      result += canonical[copied..<link.address.lowerBound]
      result.appendEscapedValue(target)
      result += canonical[link.address.upperBound..<end]
      result += origin(link.url)
      copied = end
    }
    result += canonical[copied...]
    return result
  }

  /// Returns where each link to the network ends; links of canonical HTML do not nest.
  private static func linkEnds(_ canonical: [UInt8]) -> [Int] {
    let starts = links(in: canonical).map(\.tag.upperBound)
    var closings = [Int]()
    canonical.withUnsafeBufferPointer { bytes in
      ends.matches(in: bytes) { closings.append($0.range.upperBound) }
    }
    var next = 0
    return starts.map { start in
      while next < closings.count, closings[next] < start { next += 1 }
      return next < closings.count ? closings[next] : canonical.count
    }
  }

  private static func origin(_ url: WebURL) -> [UInt8] {
    var html = HTMLWriter()
    html.text(" ")
    html.element(
      "a",
      [
        "class": "origin", "href": url.absoluteString, "rel": "noreferrer noopener",
        "title": url.absoluteString,
      ], text: "(original)")
    return html.bytes
  }
}
