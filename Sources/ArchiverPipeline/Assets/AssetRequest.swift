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
  let limits: RunLimits
  /// The item that the file is of; its progress is told under this id.
  var item: String?
  /// What the address must not be remembered with.
  var secrets = AddressSecrets()

  /// Most bytes.
  var byteLimit: Int { isFile ? limits.fileBytes : limits.imageBytes }
  /// The setting that bounds the size.
  var limitName: String { isFile ? "fileBytes" : "imageBytes" }
  var timeouts: HTTPTimeouts { HTTPTimeouts(total: isFile ? nil : limits.imageTime) }

  private var isFile: Bool {
    if case .file = content { true } else { false }
  }

  /// The address as the catalog remembers it.
  ///
  /// A signature in the query changes with every delivery of the same file and must not be
  /// stored, so a query that carries one is left out.
  var cacheKey: String {
    secrets.hidden(
      isSigned ? url.withoutQuery.absoluteString : url.withoutFragment.absoluteString)
  }

  /// Whether the query carries a signature.
  var isSigned: Bool {
    guard let query = url.query?.lowercased() else { return false }
    let marks = [
      "x-amz-signature=", "x-goog-signature=", "signature=", "sig=", "token=", "expires=",
    ]
    return query.split(separator: "&").contains { field in
      marks.contains { field.hasPrefix($0) }
    }
  }
}
