import ArchiverCore
import ArchiverMarkup
import ArchiverSite
package import ArchiverStorage

/// Makes one file of a bundle's page: everything that it shows is inside it.
///
/// Pictures, sounds and files become `data:` addresses, and the content policy allows no others.
/// Links to other pages of the archive lose their target; those to the web stay.
package struct SingleFileExport {
  /// What is larger stays out: browsers grow slow with pages of hundreds of megabytes.
  package static let largestFile = 32 << 20
  private static let largestPage = 256 << 20

  package struct Page: Sendable {
    package var bytes: [UInt8]
    /// Files that are inside.
    package var files = 0
    /// Files that were too large, and how large.
    package var left: [(path: String, byteCount: Int)] = []
    /// Whether the item is a book whose pages stay behind.
    package var lacksBookPages = false
  }

  private let root: String

  /// Exports from the archive at `root`.
  package init(root: String) {
    self.root = root
  }

  package func page(_ item: CatalogItem) throws(ExportError) -> Page {
    let files = try BundleFiles(root: root, item: item)
    var inlined: [String: String] = [:]
    var page = Page(bytes: [])
    var total = 0
    let rewritten = PageReferences.rewrite(files.page) { reference in
      // Pictures for several resolutions are not in bundles; should one be, `src` serves. The `source` of a
      // format that not every browser shows is the picture.
      if reference.attribute == "srcset", reference.element != "source" { return .remove }
      let isLink = reference.element == "a"
      if SingleFileExport.isElsewhere(reference.address) { return isLink ? .keep : .remove }
      guard let path = files.path(reference.address), !isLink || SingleFileExport.isFile(path)
      else {
        if reference.address.hasPrefix("book/") { page.lacksBookPages = true }
        return .remove
      }
      if let known = inlined[path] { return .replace(known) }
      let size = files.byteCount(path) ?? 0
      let isTooLarge = size > SingleFileExport.largestFile || total > SingleFileExport.largestPage
      guard !isTooLarge, let bytes = files.bytes(path) else {
        if !page.left.contains(where: { $0.path == path }) { page.left.append((path, size)) }
        return .remove
      }
      total += size
      page.files += 1
      let address = "data:\(files.mediaType(path));base64,\(Data(bytes).base64EncodedString())"
      inlined[path] = address
      return .replace(address)
    }
    let policy = ReadingPage.singleFilePolicy
    guard let bytes = PageReferences.replacingPolicy(rewritten, with: policy) else {
      throw ExportError(
        description: "\(item.folder)/index.html has no content policy; 'archiver verify' tells more"
      )
    }
    page.bytes = bytes
    return page
  }

  /// Whether an address is none of the bundle's: of the web, of another program, a place on the page.
  private static func isElsewhere(_ address: String) -> Bool {
    address.hasPrefix("#") || LinkScheme.isInert(address: address)
      || ["http:", "https:"].contains { scheme in
        address.prefix(scheme.utf8.count).lowercased() == scheme
      }
  }

  /// Whether a link leads to a file to open, and not to another page.
  private static func isFile(_ path: String) -> Bool {
    path.hasPrefix("assets/") && !path.hasSuffix(".html")
  }
}
