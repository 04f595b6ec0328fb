import ArchiverCore
import ArchiverMarkup

/// Turns references inside the book into addresses of the pages and files it becomes.
///
/// Every page and style sheet is one directory below the book's root, so the relative URL of a file
/// is the same in all of them.
final class BookReferences {
  /// A file that pages use.
  struct Asset {
    let entry: String
    let output: String
    let kind: FileType.Kind
    /// What a page holds itself, as a `data:` address; `nil` for an entry of the archive.
    var bytes: [UInt8]?
  }

  enum Link: Equatable {
    /// A page or file of the book.
    case local(String)
    case external(String)
    /// `mailto:`, `doi:` and the like (`LinkScheme`).
    case contact(String)
  }

  /// `nil` for a book that is not in an archive.
  private let archive: ZipArchive?
  private let mediaTypes: [String: String]
  /// The page's file name by the path of the spine item.
  private var pages: [String: String]
  /// Pages of the reading order.
  private let planned: Int
  private let mostPages: Int
  /// Pages of texts beside the reading order that something leads to; they come after all others.
  private(set) var added: [PlannedPage] = []
  private(set) var assets: [Asset] = []
  private var known: [String: String?] = [:]
  /// The fallbacks of entries that browsers do not show, by entry.
  private let fallbacks: [String: String]
  /// What pages lost, by kind.
  private(set) var losses: [String: Int] = [:]

  /// `contents` are the entries in whose place the page with the table of contents stands.
  init(
    archive: ZipArchive? = nil, mediaTypes: [String: String] = [:],
    fallbacks: [String: String] = [:],
    plan: [PlannedPage] = [],
    contents: [String] = [], mostPages: Int = 0
  ) {
    self.archive = archive
    self.mediaTypes = mediaTypes
    self.fallbacks = fallbacks
    self.mostPages = mostPages
    planned = plan.count
    pages = Dictionary(plan.map { ($0.entry, $0.file) }) { first, _ in first }
    for entry in contents where pages[entry] == nil { pages[entry] = BookReferences.contents }
  }

  static let contents = "contents.html"

  /// Returns the file of the page that an entry becomes; a text that the reading order leaves out
  /// becomes one now.
  func page(of entry: String) -> String? {
    if let file = pages[entry] { return file }
    let type = mediaTypes[entry] ?? ""
    guard type == "application/xhtml+xml" || PlannedPage.isText(entry),
      archive?.name(matching: entry) == entry, planned + added.count < mostPages
    else { return nil }
    let file = BookReferences.number(planned + added.count + 1) + ".html"
    pages[entry] = file
    added.append(
      PlannedPage(entry: entry, file: file, kind: .text, isLinear: false, isFixedLayout: false))
    return file
  }

  /// Returns where a link leads; `nil` when it leads nowhere that a page may link to.
  func link(_ href: String, from file: String) -> Link? {
    let text = href.filter { !$0.isNewline && $0 != "\t" }.trimmed
    if text.isEmpty { return nil }
    switch BookReferences.scheme(text) {
    case "http", "https": return WebURL(text).map { .external($0.absoluteString) }
    case .some(let scheme): return LinkScheme.isInert(scheme) ? .contact(text) : nil
    case nil: break
    }
    guard !text.hasPrefix("//") else { return nil }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let fragment = parts.count > 1 ? BookIdentifier.fragment(String(parts[1])) : nil
    let local = String(parts[0].prefix { $0 != "?" })
    if local.isEmpty { return fragment.map { .local("#" + $0) } }
    guard let path = entry(local, from: file) else { return nil }
    if let page = page(of: path) {
      let isWhole = page == BookReferences.contents
      return .local(page + (isWhole ? "" : fragment.map { "#" + $0 } ?? ""))
    }
    return asset(entry: path, kinds: [.image, .drawing, .audio, .video]).map { .local($0) }
  }

  /// Returns the address of a file of one of these kinds; `nil` when the book has no such file.
  func asset(_ reference: String, from file: String, kinds: Set<FileType.Kind>) -> String? {
    let text = reference.trimmed
    if BookReferences.scheme(text) == "data" { return inline(text, kinds: kinds) }
    guard BookReferences.scheme(text) == nil, !text.hasPrefix("//"),
      let path = entry(String(text.prefix { $0 != "#" && $0 != "?" }), from: file)
    else { return nil }
    return asset(entry: path, kinds: kinds)
  }

  /// Returns the name of the entry that a reference without query and fragment means.
  func entry(_ reference: String, from file: String) -> String? {
    guard !reference.isEmpty else { return nil }
    return EntryPath.resolve(reference, from: file).flatMap { archive?.name(matching: $0) }
  }

  /// Returns the fallback of an entry that readers need not support.
  func fallback(of entry: String) -> String? { fallbacks[entry] }

  /// Notes that a page is without something.
  func lose(_ kind: String) { losses[kind, default: 0] += 1 }

  /// What the pages are without, as a sentence; `nil` when it is nothing.
  var lossNote: String? {
    let parts = losses.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    guard !parts.isEmpty else { return nil }
    return "The pages are without some of the book: \(parts.joined(separator: ", "))."
  }

  /// Returns the address of a picture that the page holds itself, now a file.
  private func inline(_ text: String, kinds: Set<FileType.Kind>) -> String? {
    if let output = known[text] { return output.map { "../" + $0 } }
    guard let (mediaType, bytes) = InlineImage.decode(text),
      let type = FileType.of(path: "", mediaType: mediaType), kinds.contains(type.kind)
    else { return nil }
    let output = "assets/\(BookReferences.number(assets.count + 1)).\(type.ending)"
    assets.append(
      Asset(entry: "inside a page", output: output, kind: type.kind, bytes: bytes))
    known[text] = output
    return "../" + output
  }

  /// Returns the address of an entry or, where browsers do not show its kind, of the first of its
  /// fallbacks (EPUB 3.3 section 3.5.1) that they do; sees to it that the file is kept.
  func asset(entry first: String, kinds: Set<FileType.Kind>) -> String? {
    var path = first
    var type = FileType.of(path: path, mediaType: mediaTypes[path])
    for _ in 0..<8 where type.map({ !kinds.contains($0.kind) }) ?? true {
      guard let next = fallbacks[path] else { return nil }
      path = next
      type = FileType.of(path: path, mediaType: mediaTypes[path])
    }
    guard let type, kinds.contains(type.kind) else { return nil }
    if let output = known[path] { return output.map { "../" + $0 } }
    let output = "assets/\(BookReferences.number(assets.count + 1)).\(type.ending)"
    assets.append(Asset(entry: path, output: output, kind: type.kind))
    known[path] = output
    return "../" + output
  }

  static func number(_ value: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, 4 - text.count)) + text
  }

  /// The scheme in lower case; `nil` for a relative reference.
  static func scheme(_ text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: 0x3A) else { return nil }
    let before = text[..<colon]
    if before.utf8.contains(where: { $0 == 0x2F || $0 == 0x3F || $0 == 0x23 }) { return nil }
    return before.lowercased()
  }
}

extension String {
  /// Without white space at both ends.
  var trimmed: String {
    var slice = self[...]
    while slice.first?.isWhitespace == true { slice.removeFirst() }
    while slice.last?.isWhitespace == true { slice.removeLast() }
    return String(slice)
  }
}

/// Ids of a book, prefixed so that they differ from those of the page around it.
enum BookIdentifier {
  /// Returns the id that a page has for an `id` of the book; `nil` for an empty one.
  static func id(_ raw: String) -> String? {
    guard !raw.isEmpty, raw.utf8.count <= 512 else { return nil }
    return SelectorScope.idPrefix + String(raw.map { $0.isWhitespace ? "-" : $0 })
  }

  /// Returns the fragment that leads to an id, percent-encoded.
  static func fragment(_ raw: String) -> String? {
    id(PercentEncoding.decoded(raw)).map(WebURL.percentEncoded)
  }
}
