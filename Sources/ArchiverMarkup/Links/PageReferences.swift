/// Rewrites the URLs of a page of ours.
package enum PageReferences {
  /// What to do with a URL.
  package enum Change: Sendable, Hashable {
    case keep
    case replace(String)
    /// Removes the attribute; for an image in a style, the whole declaration.
    case remove
  }

  /// A URL in a page.
  package struct Reference: Sendable, Hashable {
    /// `img`, `a`, `link` and so on; for `url()` the element with the style.
    package let element: String
    /// `src`, `href`, `poster`, `srcset` or `style`.
    package let attribute: String
    /// The URL with decoded escapes.
    package let address: String
  }

  private static let tags = Pattern(
    #"<(a|img|source|video|audio|track|link|embed|object|image|[a-z][a-z0-9]*(?=[^<>]*? style="))(?: [^<>]*+)?>"#
  )
  private static let attributes = Pattern(#" (src|href|poster|srcset)="([^"<>]*+)""#)
  private static let pictures = Pattern(#"background-image:url\(([^()"<>]*+)\);?"#)
  private static let policies = Pattern(
    #"<meta http-equiv="Content-Security-Policy" content="([^"<>]*+)">"#)

  /// Returns canonical HTML with each URL changed according to `change`.
  package static func rewrite(
    _ canonical: [UInt8], change: (Reference) -> Change
  ) -> [UInt8] {
    var edits: [(range: Range<Int>, bytes: [UInt8])] = []
    canonical.withUnsafeBufferPointer { bytes in
      tags.matches(in: bytes) { tag in
        guard let name = tag[1] else { return }
        let element = String(decoding: bytes[name], as: UTF8.self)
        attributes.matches(in: bytes, range: tag.range) { match in
          guard let attribute = match[1], let value = match[2] else { return }
          let name = String(decoding: bytes[attribute], as: UTF8.self)
          edit(Reference(element, name, bytes[value]), match.range, value, change, &edits)
        }
        pictures.matches(in: bytes, range: tag.range) { match in
          guard let value = match[1] else { return }
          edit(Reference(element, "style", bytes[value]), match.range, value, change, &edits)
        }
      }
    }
    return canonical.applying(edits)
  }

  /// Returns the page with another content security policy; `nil` if it has none.
  package static func replacingPolicy(_ page: [UInt8], with policy: String) -> [UInt8]? {
    var edits: [(range: Range<Int>, bytes: [UInt8])] = []
    page.withUnsafeBufferPointer { bytes in
      policies.matches(in: bytes) { match in
        guard let value = match[1], edits.isEmpty else { return }
        var escaped: [UInt8] = []
        escaped.appendEscapedValue(policy)
        edits = [(value, escaped)]
      }
    }
    return edits.isEmpty ? nil : page.applying(edits)
  }

  private static func edit(
    _ reference: Reference, _ whole: Range<Int>, _ value: Range<Int>,
    _ change: (Reference) -> Change, _ edits: inout [(range: Range<Int>, bytes: [UInt8])]
  ) {
    switch change(reference) {
    case .keep: break
    case .remove: edits.append((whole, []))
    case .replace(let address):
      var escaped: [UInt8] = []
      escaped.appendEscapedValue(address)
      edits.append((value, escaped))
    }
  }
}

extension PageReferences.Reference {
  fileprivate init(_ element: String, _ attribute: String, _ bytes: some Collection<UInt8>) {
    self.element = element
    self.attribute = attribute
    address = CanonicalValue.decoded(bytes)
  }
}

extension [UInt8] {
  /// Returns the bytes with disjoint ranges replaced.
  fileprivate func applying(_ edits: [(range: Range<Int>, bytes: [UInt8])]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count + edits.reduce(0) { $0 + $1.bytes.count })
    var copied = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where edit.range.lowerBound >= copied {
      result += self[copied..<edit.range.lowerBound]
      result += edit.bytes
      copied = edit.range.upperBound
    }
    return result + self[copied...]
  }
}
