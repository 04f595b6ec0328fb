import ArchiverCore

/// The order and titles of a comic's pages in a Readium Web Publication Manifest (`manifest.json`, profile
/// Divina) or in the Lightweight Packaging Format of the W3C (`publication.json`).
struct ComicManifest {
  struct Page {
    /// The names of the page's image and of its alternates, in order of preference.
    let names: [String]
    let title: String?
  }

  /// In lower case.
  static let files: Set<String> = ["manifest.json", "publication.json"]
  /// The maximum depth of nested entries that are read.
  private static let depth = 8

  private(set) var pages: [Page] = []
  private(set) var metadata = BookMetadata(title: "")
  private(set) var isRightToLeft = false

  private let file: String

  /// `nil` if the bytes are not such a document or have no reading order. `file` is its name in the archive.
  init?(_ bytes: [UInt8], file: String) {
    self.file = file
    // Another document of this name is listed with the files that are not images.
    guard let root = try? ForeignJSON.decode(JSONValue.self, from: Data(bytes)),
      root.object != nil
    else { return nil }
    let titles = contents(root["toc"], 0)
    pages = ComicManifest.list(root["readingOrder"]).compactMap { link in
      let alternates = ComicManifest.list(link["alternate"])
      let names = ([link] + alternates).compactMap(name)
      guard let first = names.first else { return nil }
      let title = ComicManifest.text(link["title"] ?? link["name"]) ?? titles[first]
      return Page(names: names, title: title)
    }
    guard !pages.isEmpty else { return nil }
    // Readium has the metadata in a member of their own, the W3C in the document.
    read(root["metadata"] ?? root)
  }

  private mutating func read(_ root: JSONValue) {
    metadata.title = ComicManifest.text(root["title"] ?? root["name"]) ?? ""
    metadata.authors = ComicManifest.people(root["author"] ?? root["creator"])
    metadata.publisher = ComicManifest.people(root["publisher"]).first
    metadata.language = ComicManifest.list(root["language"] ?? root["inLanguage"]).first?.string
      .map(LanguageTag.corrected)
    metadata.description = ComicManifest.text(root["description"])
    metadata.subjects = ComicManifest.people(root["subject"])
    metadata.date = (root["published"] ?? root["datePublished"])?.string
    if let series = ComicManifest.list(root["belongsTo"]?["series"]).first,
      let name = ComicManifest.people(series).first
    {
      let position = series["position"]?.number.map { String($0) }
      metadata.series = BookMetadata.Series(name: name, position: position)
    }
    isRightToLeft = root["readingProgression"]?.string == "rtl"
  }

  /// Returns the titles of a table of contents by the names of their files.
  private func contents(_ value: JSONValue?, _ depth: Int) -> [String: String] {
    guard depth < ComicManifest.depth else { return [:] }
    var titles: [String: String] = [:]
    for entry in ComicManifest.list(value) {
      if let name = name(entry), let title = ComicManifest.text(entry["title"]) {
        titles[name] = titles[name] ?? title
      }
      titles.merge(contents(entry["children"], depth + 1)) { first, _ in first }
    }
    return titles
  }

  /// Returns the name of the file in the archive that a link or a URL leads to.
  private func name(_ link: JSONValue) -> String? {
    guard let address = link.string ?? (link["href"] ?? link["url"])?.string else { return nil }
    return EntryPath.resolve(String(address.prefix { $0 != "#" && $0 != "?" }), from: file)
  }

  /// Returns the elements of a list; a single value is a list of one.
  private static func list(_ value: JSONValue?) -> [JSONValue] {
    guard let value, value != .null else { return [] }
    return value.array ?? [value]
  }

  /// Returns a text, of one in several languages the first by their tags.
  private static func text(_ value: JSONValue?) -> String? {
    guard let value = list(value).first else { return nil }
    let text =
      value.string ?? value["value"]?.string
      ?? value.object?.sorted { $0.key < $1.key }.lazy.compactMap(\.value.string).first
    return text.flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed }
  }

  /// Returns the names of people, organisations or subjects.
  private static func people(_ value: JSONValue?) -> [String] {
    list(value).compactMap { text($0["name"] ?? $0) }
  }
}
