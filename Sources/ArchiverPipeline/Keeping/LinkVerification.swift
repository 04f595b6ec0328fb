import ArchiverCore
import ArchiverMarkup
package import ArchiverStorage

/// Finds links of archived pages to missing files.
///
/// Reads the pages of each bundle, including those of its book, and checks every relative URL in
/// them: to files of the bundle, to other bundles, to the library. URLs with a scheme and fragments
/// of the same page are not checked, nor are earlier versions.
package struct LinkVerification: Sendable {
  /// A broken link.
  package struct Finding: Sendable, Hashable {
    /// The page, relative to the archive.
    package let page: String
    /// The URL as written in the page.
    package let address: String
  }

  /// Attributes that contain one URL.
  private static let attributes = ["href", "src", "poster"]

  private let archive: Archive

  package init(_ archive: Archive) {
    self.archive = archive
  }

  /// Checks the pages of a random `percent` per cent of the bundles. Stops early if the task is
  /// cancelled.
  package func run(percent: Int = 100) throws -> [Finding] {
    var findings: [Finding] = []
    // The library is made at the end of a run, so an interrupted first run leaves none; every run
    // and `archiver site` make it.
    var known = ["index.html": true]
    try archive.catalog.forEachItem(source: nil) { item in
      if Task.isCancelled { return false }
      guard percent >= 100 || Int.random(in: 0..<100) < percent else { return true }
      for page in pages(of: item.folder) {
        for address in addresses(of: page) where leadsNowhere(address, from: page, &known) {
          findings.append(Finding(page: page, address: address))
        }
      }
      return true
    }
    return findings.sorted { ($0.page, $0.address) < ($1.page, $1.address) }
  }

  private func pages(of folder: String) -> [String] {
    // A missing bundle is reported by the comparison with the catalog.
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: path(folder))) ?? []
    return files.filter { $0.hasSuffix(".html") && !$0.hasPrefix("versions/") }
      .map { "\(folder)/\($0)" }
  }

  private func addresses(of page: String) -> Set<String> {
    guard let bytes = ArchiveFile(page, in: archive.path).bytes,
      // A damaged page is reported by its checksum.
      let document = try? HTMLDocument.parse(bytes, limits: .widest),
      let root = document.root
    else { return [] }
    var addresses: Set<String> = []
    for element in root.descendants {
      for name in LinkVerification.attributes {
        guard let address = element.attribute(name), isFollowed(address) else { continue }
        addresses.insert(address)
      }
    }
    return addresses
  }

  private func isFollowed(_ address: String) -> Bool {
    guard let first = address.utf8.first, first != 0x23, !address.hasPrefix("//") else {
      return false
    }
    // A colon before any slash ends a scheme (RFC 3986 section 4.2).
    let segment = address.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return !segment.contains(":")
  }

  private func leadsNowhere(
    _ address: String, from page: String, _ known: inout [String: Bool]
  ) -> Bool {
    let file = PercentEncoding.decoded(String(address.prefix { $0 != "?" && $0 != "#" }))
    guard !file.hasPrefix("/") else { return true }
    var parts = page.split(separator: "/").dropLast().map(String.init)
    for part in file.split(separator: "/") where part != "." {
      if part != ".." {
        parts.append(String(part))
      } else if parts.popLast() == nil {
        return true
      }
    }
    let target = parts.joined(separator: "/")
    if let exists = known[target] { return !exists }
    let exists = FileManager.default.fileExists(atPath: path(target))
    known[target] = exists
    return !exists
  }

  private func path(_ relative: String) -> String { "\(archive.path)/\(relative)" }
}
