import ArchiverCore
import ArchiverMarkup
import ArchiverStorage

/// A bundle's page in the form in which it is replayed under its item's web address.
struct WebArchivePage {
  /// The maximum size in bytes of a file without a web address that is embedded in the page.
  private static let largestEmbedded = 32 << 20

  private(set) var bytes: [UInt8] = []
  /// The web addresses of the bundle's files, by path.
  let addresses: [String: String]
  /// Files that the page links or shows but the web archive lacks, with their sizes.
  private(set) var left: [(path: String, byteCount: Int)] = []
  private var embedded: Set<String> = []
  /// Whether the item is a book, whose pages have no web addresses.
  private(set) var lacksBookPages = false

  init(_ files: BundleFiles, policy: String) {
    var addresses: [String: String] = [:]
    for asset in files.record?.assets ?? [] {
      guard let url = WebURL(asset.url) else { continue }
      addresses[asset.path] = url.replayAddress
    }
    self.addresses = addresses
    let restored = LinkRewriter.restored(files.page)
    let page = PageReferences.rewrite(restored) { change($0, files) }
    bytes = PageReferences.replacingPolicy(page, with: policy) ?? page
  }

  /// Whether a file without a web address is embedded in the page, reported as left out, or covered
  /// by the report of a book's missing pages.
  func accountsFor(_ path: String) -> Bool {
    embedded.contains(path) || lacksBookPages || left.contains { $0.path == path }
  }

  private mutating func change(
    _ reference: PageReferences.Reference, _ files: BundleFiles
  ) -> PageReferences.Change {
    if reference.attribute == "srcset", reference.element != "source" { return .remove }
    let isLink = reference.element == "a"
    if LinkScheme.isElsewhere(reference.address) { return isLink ? .keep : .remove }
    // Pages of the archive, such as the library, have no web addresses.
    guard let path = files.path(reference.address), !path.hasSuffix(".html") else {
      lacksBookPages = lacksBookPages || reference.address.hasPrefix("book/")
      return .remove
    }
    if let address = addresses[path] { return .replace(address) }
    let size = files.byteCount(path) ?? 0
    guard !isLink, size <= WebArchivePage.largestEmbedded, let bytes = files.bytes(path) else {
      if !left.contains(where: { $0.path == path }) { left.append((path, size)) }
      return .remove
    }
    embedded.insert(path)
    return .replace("data:\(files.mediaType(path));base64,\(Data(bytes).base64EncodedString())")
  }
}
