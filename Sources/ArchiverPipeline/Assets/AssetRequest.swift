import ArchiverCore

/// A file that an item wants from the network.
///
/// A class, as hundreds wait for a place while every function on the way would hold a copy.
final class AssetRequest: Sendable {
  enum Content: Sendable {
    /// Only a picture is accepted; SVG is sanitised.
    case image
    /// Anything but an HTML page in place of something else.
    case file(mediaType: String?)
  }

  let url: WebURL
  let content: Content
  let limits: Limits
  /// The item that the file is of; its progress is told under this id.
  let item: String?
  /// Whether the query carries a signature.
  let isSigned: Bool
  /// The address as the catalog remembers it.
  ///
  /// A signature in the query changes with every delivery of the same file and must not be
  /// stored, so a query that carries one is left out.
  let cacheKey: String
  /// What `Referer` says; `nil` leaves it out.
  let referrer: String?
  /// Whether the server is asked although what it gave last is good for longer.
  let revalidates: Bool

  /// - Parameters:
  ///   - url: Where it is.
  ///   - content: What it is to be.
  ///   - limits: What bounds it.
  ///   - item: The item that it is of.
  ///   - secrets: What the address must not be remembered with.
  ///   - revalidates: See the property.
  ///   - page: The page that shows it, whose server guards its pictures by `Referer`.
  init(
    url: WebURL, content: Content, limits: Limits, item: String? = nil,
    secrets: AddressSecrets = AddressSecrets(), revalidates: Bool = false, page: WebURL? = nil
  ) {
    referrer = page.flatMap { AssetRequest.referrer(of: $0, to: url) }
    self.revalidates = revalidates
    self.url = url
    self.content = content
    self.limits = limits
    self.item = item
    isSigned = AssetRequest.isSigned(url)
    cacheKey = secrets.hidden((isSigned ? url.withoutQuery : url.withoutFragment).absoluteString)
  }

  /// The page's origin, as browsers say it to other hosts (`strict-origin`, Referrer Policy 3.5).
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

  /// What bounds the size.
  var limit: Limit { isFile ? .fileSize : .imageSize }
  /// Most bytes.
  var byteLimit: Int { limits[limit] }
  var timeouts: HTTPTimeouts {
    HTTPTimeouts(total: isFile ? nil : .seconds(limits[.imageTime]))
  }

  /// The setting that a transfer went beyond, for the end of its error; empty when none was.
  func passedLimit(_ code: HTTPError.Code, after time: Duration) -> String {
    switch code {
    case .tooLarge: return " " + limit.note(byteLimit)
    case .timeout:
      guard let total = timeouts.total, time >= total else { return "" }
      return " " + Limit.imageTime.note(limits[.imageTime])
    default: return ""
    }
  }

  /// Whether it is a file to download and not a picture.
  var isFile: Bool {
    if case .file = content { true } else { false }
  }
}
