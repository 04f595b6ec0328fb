import ArchiverCore
import ArchiverMarkup
import ArchiverSite
package import ArchiverStorage

/// Exports a bundle's page as one HTML file that embeds everything it shows.
///
/// Images, audio and files become `data:` URLs, and the content security policy allows no others.
/// Links to other pages of the archive lose their target; links to the web stay.
package enum SingleFileExport {
  /// The maximum size in bytes of an embedded file: browsers become slow on pages of hundreds of megabytes.
  package static let largestFile = 32 << 20
  private static let largestPage = 256 << 20

  package struct Page: Sendable {
    package var bytes: [UInt8]
    /// The number of embedded files.
    package var files = 0
    /// Files that were too large to embed, with their sizes.
    package var left: [(path: String, byteCount: Int)] = []
    /// Whether the item is a book whose pages are not part of the file.
    package var lacksBookPages = false
  }

  /// Returns the page of an item of the archive at `root`.
  package static func page(_ item: CatalogItem, root: String) throws(ExportError) -> Page {
    let files = try BundleFiles(root: root, item: item)
    var inlined: [String: String] = [:]
    var page = Page(bytes: [])
    var total = 0
    let rewritten = PageReferences.rewrite(files.page) { reference in
      // Pages of bundles have no `srcset` on images; if one has, `src` is used. A `source` is used
      // for formats that not every browser supports.
      if reference.attribute == "srcset", reference.element != "source" { return .remove }
      let isLink = reference.element == "a"
      if LinkScheme.isElsewhere(reference.address) { return isLink ? .keep : .remove }
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
        description: "\(item.folder)/index.html has no content policy; see 'archiver verify'"
      )
    }
    page.bytes = bytes
    return page
  }

  /// Whether a link leads to a file rather than to another page.
  private static func isFile(_ path: String) -> Bool {
    path.hasPrefix("assets/") && !path.hasSuffix(".html")
  }
}
