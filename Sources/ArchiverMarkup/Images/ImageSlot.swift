package import ArchiverCore

/// The location of an image's content.
package enum ImageSource: Sendable, Hashable {
  case remote(WebURL)
  /// A `data:` URL in the page.
  case inline(mediaType: String, bytes: [UInt8])
}

/// A position in canonical HTML that shows an image.
package struct ImageSlot: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case image
    /// A video; its candidates are those of the poster.
    case video
    /// An audio element, without candidates.
    case audio
    /// A background image in a style.
    case background
  }

  package var kind: Kind
  /// The byte range of the slot: a whole tag, an element, or a declaration in a style.
  package var range: Range<Int>
  /// Best first, at most four; empty if the page has no usable URL.
  package var candidates: [ImageSource]
  package var alt: String
  package var title: String?
  /// In pixels, as declared by the page.
  package var width: Int?
  package var height: Int?
  /// The id to which links refer.
  package var id: String?
  /// `#` and the name of the image's map.
  package var map: String?
  /// The URL of the video or audio.
  package var media: WebURL?
  /// Whether the slot is inside a link, so that its replacement must not contain links.
  package var isInLink: Bool

  /// The best URL on the network.
  package var originalURL: WebURL? {
    for case .remote(let url) in candidates { return url }
    return nil
  }
}

/// The images of a document.
package struct ImageReferences: Sendable {
  /// In document order, with disjoint ranges.
  package var slots: [ImageSlot]

  package init(slots: [ImageSlot] = []) {
    self.slots = slots
  }

  /// The distinct URLs of all candidates, in order of first occurrence.
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
