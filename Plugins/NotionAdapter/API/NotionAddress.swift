import ArchiverCore

/// The object to which a URL in Notion leads.
///
/// Follows the official client: a path segment that is an id or ends in `-` and 32 digits, else
/// `p`, `page_id` or `database_id` of the query, else any 32 digits of the path; never `v`, which
/// names a view. A fragment of 32 digits, with or without `block-`, names a block.
package struct NotionAddress: Sendable, Hashable {
  /// The page or database; `nil` for a URL that is only a block's fragment.
  package let page: NotionID?
  package let block: NotionID?

  /// Parses a URL or a reference relative to Notion; `nil` if it leads elsewhere.
  package init?(_ text: String) {
    if text.hasPrefix("#") {
      guard let block = NotionAddress.anchor(String(text.dropFirst())) else { return nil }
      self.init(page: nil, block: block)
      return
    }
    guard let url = WebURL("https://www.notion.so/")?.resolving(text),
      NotionAddress.isNotion(host: url.host)
    else { return nil }
    guard let page = NotionAddress.page(in: url) else { return nil }
    self.init(page: page, block: url.fragment.flatMap(NotionAddress.anchor))
  }

  private init(page: NotionID?, block: NotionID?) {
    self.page = page
    self.block = block
  }

  /// Parses what a user may enter for a page: an id or any of its URLs.
  package static func id(in text: String) -> NotionID? {
    NotionID(text) ?? NotionAddress(text)?.page
  }

  /// Returns the permanent form of a URL of a page or database; `nil` for other URLs.
  static func linkForm(_ url: WebURL) -> WebURL? {
    guard isNotion(host: url.host), let target = NotionAddress(url.absoluteString) else {
      return nil
    }
    return WebURL(target.absolute)
  }

  /// The permanent form of the URL.
  package var absolute: String {
    let anchor = block.map { "#\($0.hex)" } ?? ""
    return (page?.address ?? "") + anchor
  }

  /// Notion's hosts that have no pages of workspaces.
  private static let otherHosts: Set<String> = [
    "api.notion.com", "developers.notion.com", "file.notion.so", "img.notion.so",
    "images.notion.so",
  ]

  private static func isNotion(host: String) -> Bool {
    ["notion.so", "notion.site", "notion.com"].contains { host == $0 || host.hasSuffix(".\($0)") }
      && !otherHosts.contains(host)
  }

  private static func page(in url: WebURL) -> NotionID? {
    let segments = url.path.split(separator: "/")
    for segment in segments.reversed() {
      if let id = NotionID(segment) { return id }
      if segment.utf8.count > 33, segment.dropLast(32).hasSuffix("-"),
        let id = NotionID(segment.suffix(32))
      {
        return id
      }
    }
    if let id = queryID(url.query ?? "") { return id }
    return segments.lazy.compactMap(anyDigits).first
  }

  private static func queryID(_ query: String) -> NotionID? {
    for name in ["p", "page_id", "database_id"] {
      for field in query.split(separator: "&") where field.hasPrefix("\(name)=") {
        if let id = NotionID(field.dropFirst(name.count + 1)) { return id }
      }
    }
    return nil
  }

  private static func anyDigits(_ segment: Substring) -> NotionID? {
    var run: [UInt8] = []
    for byte in segment.utf8 {
      run = NotionID.digit(byte) == nil ? [] : run + [byte]
      if run.count == 32 { return NotionID(String(decoding: run, as: UTF8.self)) }
    }
    return nil
  }

  private static func anchor(_ fragment: String) -> NotionID? {
    NotionID(fragment.hasPrefix("block-") ? fragment.dropFirst(6) : Substring(fragment))
  }
}
