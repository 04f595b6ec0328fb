import ArchiverCore

/// A request for a file of an item.
///
/// A class: hundreds wait for a slot, and every frame in between would hold a copy of a value.
final class AssetRequest: Sendable {
  enum Content: Sendable {
    /// Only an image is accepted; SVG is sanitised.
    case image
    /// Anything is accepted except an HTML page in place of another type.
    case file(mediaType: String?)
  }

  let url: WebURL
  let content: Content
  let limits: Limits
  /// The id of the item, under which progress is reported.
  let item: String?
  /// Whether the URL is presigned.
  let isSigned: Bool
  /// The URL under which the catalog records the asset.
  ///
  /// Without the query if that contains a signature, which changes with every delivery of the same
  /// file and must not be stored.
  let cacheKey: String
  /// The value of `Referer`; `nil` to omit it.
  let referrer: String?
  /// Whether to revalidate a file that is still fresh.
  let revalidates: Bool
  /// Whether the file is the item itself, such as a book's: an earlier copy then is no answer, and a failed
  /// request is a failure of the item.
  let isMain: Bool
  /// Whether the file is a book, so that the content of an archive decides its kind.
  let isBook: Bool

  /// - Parameters:
  ///   - url: The URL of the file.
  ///   - content: The expected content.
  ///   - limits: The limits of the download.
  ///   - item: The id of the item.
  ///   - secrets: Secrets to remove from the recorded URL.
  ///   - revalidates: See the property; implied by `isMain`.
  ///   - isMain: See the property.
  ///   - isBook: See the property.
  ///   - page: The page that shows the file; its server may check `Referer`.
  init(
    url: WebURL, content: Content, limits: Limits, item: String? = nil,
    secrets: AddressSecrets = AddressSecrets(), revalidates: Bool = false, isMain: Bool = false,
    isBook: Bool = false, page: WebURL? = nil
  ) {
    self.isMain = isMain
    self.isBook = isBook
    referrer = page.flatMap { AssetRequest.referrer(of: $0, to: url) }
    self.revalidates = revalidates || isMain
    self.url = url
    self.content = content
    self.limits = limits
    self.item = item
    isSigned = AssetRequest.isSigned(url)
    cacheKey = secrets.hidden((isSigned ? url.withoutQuery : url.withoutFragment).absoluteString)
  }

  /// Returns the page's origin, as browsers send it to other hosts (`strict-origin`, Referrer
  /// Policy 3.5).
  private static func referrer(of page: WebURL, to url: WebURL) -> String? {
    guard page.scheme == url.scheme || page.scheme == "http" else { return nil }
    return "\(page.scheme)://\(page.host)" + (page.port.map { ":\($0)" } ?? "") + "/"
  }

  private static func isSigned(_ url: WebURL) -> Bool {
    guard let query = url.query?.lowercased() else { return false }
    let marks = [
      "x-amz-signature=", "x-goog-signature=", "signature=", "sig=", "token=", "expires=",
    ]
    return query.split(separator: "&").contains { field in
      marks.contains { field.hasPrefix($0) }
    }
  }

  /// The limit of the size.
  var limit: Limit { isFile ? .fileSize : .imageSize }
  /// The maximum size in bytes.
  var byteLimit: Int { limits[limit] }
  var timeouts: HTTPTimeouts {
    HTTPTimeouts(total: isFile ? nil : .seconds(limits[.imageTime]))
  }

  /// Returns the setting that a transfer exceeded, for the end of its error; empty if none.
  func passedLimit(_ code: HTTPError.Code, after time: Duration) -> String {
    switch code {
    case .tooLarge: return " " + limit.note(byteLimit)
    case .timeout:
      guard let total = timeouts.total, time >= total else { return "" }
      return " " + Limit.imageTime.note(limits[.imageTime])
    default: return ""
    }
  }

  /// Whether it is a file and not an image.
  var isFile: Bool {
    if case .file = content { true } else { false }
  }
}
