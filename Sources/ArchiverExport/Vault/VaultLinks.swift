import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// Resolves URLs of a bundle's page to targets in the vault, and collects the bundle's files that they need.
final class VaultLinks {
  private let files: BundleFiles
  private let file: String
  private let folder: String
  private let directory: VaultPage.Directory
  private let chapters: [String: String]
  /// The bundle's files that the URLs name, with their paths in the vault.
  private(set) var needed: [String: String] = [:]
  /// The number of URLs whose targets are neither in the vault nor on the web.
  private(set) var lostLinks = 0

  /// - Parameters:
  ///   - file: The file that has the links, relative to the vault.
  ///   - folder: The folder of the page in the bundle, with a slash at the end; empty for the item's own page.
  ///   - chapters: The files of a book's chapters, relative to the vault, by the paths of their pages in the bundle.
  init(
    _ files: BundleFiles, file: String, in folder: String = "", _ directory: VaultPage.Directory,
    chapters: [String: String]
  ) {
    self.files = files
    self.file = file
    self.folder = folder
    self.directory = directory
    self.chapters = chapters
  }

  /// Returns the target of a URL of the page; `nil` if it is neither in the vault nor on the web.
  func resolve(_ address: String) -> String? {
    if ["http://", "https://"].contains(where: address.lowercased().hasPrefix) { return address }
    if LinkScheme.isInert(address: address) { return address }
    let address = VaultLinks.joined(folder, address)
    let fragment = address.firstIndex(of: "#").map { String(address[$0...]) } ?? ""
    if let path = files.path(address) {
      if let target = target(path) { return MarkdownText.relative(target, from: file) + fragment }
      lostLinks += 1
      return nil
    }
    if let folder = files.folder(address) {
      if let other = directory.files[folder] { return MarkdownText.relative(other, from: file) }
      if let original = directory.originals[folder] { return original }
    }
    lostLinks += 1
    return nil
  }

  /// Returns the path in the vault of a file of the bundle; `nil` if the vault does not have it.
  private func target(_ path: String) -> String? {
    if let chapter = chapters[path] { return chapter }
    if path == "index.html" { return directory.files[files.item.folder] }
    let name: Substring
    if path.hasPrefix("assets/") {
      name = path.dropFirst(7)
    } else if path.hasPrefix("book/assets/") {
      name = "book/" + path.dropFirst(12)
    } else {
      return nil
    }
    let target = VaultLinks.folder(files.item) + name.map { $0 == "/" ? "-" : String($0) }.joined()
    needed[path] = target
    return target
  }

  /// Returns the folder in the vault of an item's images, other files and chapters, with a slash at the end.
  static func folder(_ item: CatalogItem) -> String { "files/\(VaultName.shortID(item))/" }

  /// Returns a relative URL of a page in `folder` as a relative URL of the item's own page.
  static func joined(_ folder: String, _ address: String) -> String {
    guard !folder.isEmpty else { return address }
    let end = address.firstIndex { $0 == "#" || $0 == "?" } ?? address.endIndex
    var parts = folder.split(separator: "/")
    for part in address[..<end].split(separator: "/", omittingEmptySubsequences: false)
    where part != "." {
      if part == "..", let last = parts.last, last != ".." {
        parts.removeLast()
      } else {
        parts.append(part)
      }
    }
    return parts.joined(separator: "/") + address[end...]
  }
}
