package import ArchiverCore

/// Where an image's bytes come from.
package enum ImageSource: Sendable, Hashable {
  case remote(WebURL)
  /// Written into the page as a `data:` address.
  case inline(mediaType: String, bytes: [UInt8])
}

/// One place of canonical HTML that shows an image.
package struct ImageSlot: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case image
    /// A video; its candidates are those of the poster.
    case video
    /// A sound; it has no candidates.
    case audio
    /// A background image in a style.
    case background
  }

  package var kind: Kind
  /// The bytes of the slot: a whole tag, an element, or a declaration of a style.
  package var range: Range<Int>
  /// Best first, at most four; empty when the page names no usable address.
  package var candidates: [ImageSource]
  package var alt: String
  package var title: String?
  /// Pixels, as the page says.
  package var width: Int?
  package var height: Int?
  /// The id that links lead to.
  package var id: String?
  /// `#` and the name of the image's map.
  package var map: String?
  /// Where the video or sound is.
  package var media: WebURL?
  /// Whether the slot stands inside a link, so that its replacement may hold none.
  package var isInLink: Bool

  /// The best address on the network.
  package var originalURL: WebURL? {
    for case .remote(let url) in candidates { return url }
    return nil
  }
}

/// The images of a document.
package struct ImageReferences: Sendable {
  /// In document order, ranges apart.
  package var slots: [ImageSlot]

  package init(slots: [ImageSlot] = []) {
    self.slots = slots
  }

  /// Every address among the candidates once, in order of first appearance.
  package var urls: [WebURL] {
    var seen = Set<WebURL>()
    var urls = [WebURL]()
    for slot in slots {
      for case .remote(let url) in slot.candidates where seen.insert(url).inserted {
        urls.append(url)
      }
    }
    return urls
  }
}
