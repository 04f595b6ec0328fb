import ArchiverCore

/// A file that an item wants from the network.
struct AssetRequest: Sendable {
  enum Content: Sendable {
    /// Only a picture is accepted; SVG is sanitised.
    case image
    /// Anything but an HTML page in place of something else.
    case file(mediaType: String?)
  }

  let url: WebURL
  let content: Content
  /// Most bytes.
  let byteLimit: Int
  let timeouts: HTTPTimeouts
  /// What the address must not be remembered with.
  var secrets = AddressSecrets()

  /// The address as the catalog remembers it.
  ///
  /// A signature in the query changes with every delivery of the same file and must not be
  /// stored, so a query that carries one is left out.
  var cacheKey: String { secrets.hidden(unsigned) }

  private var unsigned: String {
    let plain = url.withoutFragment
    guard let query = plain.query?.lowercased() else { return plain.absoluteString }
    let marks = [
      "x-amz-signature=", "x-goog-signature=", "signature=", "sig=", "token=", "expires=",
    ]
    let signed = query.split(separator: "&").contains { field in
      marks.contains { field.hasPrefix($0) }
    }
    return signed ? plain.withoutQuery.absoluteString : plain.absoluteString
  }
}
