import ArchiverCore

/// What an address inside Notion leads to.
///
/// Follows the official client's rule: a path segment that is an id or ends in `-` and 32 digits,
/// else `p`, `page_id` or `database_id` of the query, else any 32 digits of the path; never `v`,
/// which names a view. A fragment of 32 digits, with or without `block-`, names a block.
package struct NotionAddress: Sendable, Hashable {
  /// The page or database; `nil` for an address that is only a block's anchor.
  package let page: NotionID?
  package let block: NotionID?

  /// Reads an address or a reference relative to Notion; `nil` when it leads elsewhere.
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

  /// Reads what a user may give for a page: an id or any of its addresses.
  package static func id(in text: String) -> NotionID? {
    NotionID(text) ?? NotionAddress(text)?.page
  }

  /// Returns the lasting form of any address of a page or database; `nil` for other addresses.
  static func linkForm(_ url: WebURL) -> WebURL? {
    guard isNotion(host: url.host), let target = NotionAddress(url.absoluteString) else {
      return nil
    }
    return WebURL(target.absolute)
  }

  /// The lasting form of the address.
  package var absolute: String {
    let anchor = block.map { "#\($0.hex)" } ?? ""
    return (page?.address ?? "") + anchor
  }

  /// Hosts of Notion that have no pages of workspaces.
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
