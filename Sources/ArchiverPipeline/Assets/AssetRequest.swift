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
  /// Without a signature, which changes with every delivery of the same file and must not be stored.
  let cacheKey: String
  /// The URL under which earlier versions of the program recorded a presigned file: without any query.
  let formerKey: String?
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
    cacheKey = secrets.hidden(
      isSigned ? AssetRequest.unsigned(url) : url.withoutFragment.absoluteString)
    formerKey = isSigned ? secrets.hidden(url.withoutQuery.absoluteString) : nil
  }

  /// Query fields of services that name a file by the path alone.
  private static let storageMarks: Set<String> = ["x-amz-signature", "x-goog-signature"]
  /// Query fields, of Amazon CloudFront and Azure among others, that sign the rest or are secret themselves.
  private static let signingFields: Set<String> = [
    "signature", "sig", "token", "expires", "policy", "key-pair-id", "awsaccesskeyid",
    "googleaccessid", "access_token", "auth_token", "api_key", "apikey", "sv", "st", "se", "sr",
    "sp", "spr", "skoid", "sktid", "skt", "ske", "sks", "skv",
  ]

  /// Returns a presigned URL without what signs it. The rest of its query may tell one file from another.
  private static func unsigned(_ url: WebURL) -> String {
    let path = url.withoutQuery.absoluteString
    func name(_ field: Substring) -> String { field.prefix { $0 != "=" }.lowercased() }
    let fields = (url.query ?? "").split(separator: "&")
    if fields.contains(where: { storageMarks.contains(name($0)) }) { return path }
    let kept = fields.filter { !signingFields.contains(name($0)) }
    return kept.isEmpty ? path : path + "?" + kept.joined(separator: "&")
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
