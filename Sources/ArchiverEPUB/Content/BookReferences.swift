import ArchiverCore
import ArchiverMarkup

/// Resolves references inside the book to URLs of the converted pages and files.
///
/// Every page and style sheet is one directory below the book's root, so the relative URL of a file
/// is the same in all of them.
final class BookReferences {
  /// A file that pages use.
  struct Asset {
    let entry: String
    let output: String
    let kind: FileType.Kind
    /// The content of a `data:` URL; `nil` for an entry of the archive.
    var bytes: [UInt8]?
  }

  enum Link: Equatable {
    /// A page of the book or a file that browsers show.
    case local(String)
    /// A file of the book that browsers save, with its name there.
    case file(String, name: String)
    case external(String)
    /// `mailto:`, `doi:` and the like (`LinkScheme`).
    case contact(String)

    /// The attributes of an element that is this link.
    var attributes: [(name: String, value: String)] {
      switch self {
      case .local(let address), .contact(let address): [("href", address)]
      case .file(let address, let name):
        [("href", address), ("download", ContentVocabulary.isPlain(name) ? name : "")]
      case .external(let address):
        [("href", address), ("rel", "noreferrer noopener external")]
      }
    }
  }

  /// `nil` for a book that is not in an archive.
  private let archive: ZipArchive?
  private let mediaTypes: [String: String]
  /// The file names of pages, by the paths of spine items.
  private var pages: [String: String]
  /// The number of pages in the reading order.
  private let planned: Int
  private let mostPages: Int
  /// Pages that are linked but not in the reading order; they come after all others.
  private(set) var added: [PlannedPage] = []
  private(set) var assets: [Asset] = []
  private var known: [String: String] = [:]
  /// Fallbacks of entries in formats that browsers do not support, by entry.
  private let fallbacks: [String: String]
  private var lostInStyles: Set<String> = []
  /// The number of lost parts of pages, by kind.
  private(set) var losses: [String: Int] = [:]

  /// - Parameter contents: The entries that the page with the table of contents replaces.
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

  /// Returns the page for an entry. A text outside the reading order becomes a page by this call.
  func page(of entry: String) -> String? {
    if let file = pages[entry] { return file }
    guard isText(entry), archive?.name(matching: entry) == entry, planned + added.count < mostPages
    else { return nil }
    let file = add(entry)
    pages[entry] = file
    return file
  }

  /// Whether an entry has a page, or the one with the table of contents.
  func hasPage(_ entry: String) -> Bool { pages[entry] != nil }

  /// Makes a page of an entry that the table of contents replaces, to which links still lead; `nil` if it has
  /// a page, or beyond the limit.
  func ownPage(of entry: String) -> String? {
    guard pages[entry] == BookReferences.contents, planned + added.count < mostPages else {
      return nil
    }
    return add(entry)
  }

  private func add(_ entry: String) -> String {
    let file = BookReferences.number(planned + added.count + 1) + ".html"
    added.append(
      PlannedPage(entry: entry, file: file, kind: .text, isLinear: false, isFixedLayout: false))
    return file
  }

  /// Resolves a link; `nil` if its target is not permitted in a page.
  ///
  /// - Parameter counts: Whether a link without a target that pages keep is counted.
  func link(_ href: String, from file: String, counts: Bool = true) -> Link? {
    let text = href.filter { !$0.isNewline && $0 != "\t" }.trimmed
    if text.isEmpty { return nil }
    let link = target(text, from: file)
    if link == nil, counts {
      let isFile = entry(BookReferences.local(text), from: file) != nil
      lose(isFile ? "linked files" : "links that lead nowhere")
    }
    return link
  }

  private func target(_ text: String, from file: String) -> Link? {
    switch BookReferences.scheme(text) {
    case "http", "https": return WebURL(text).map { .external($0.absoluteString) }
    case .some(let scheme): return LinkScheme.isInert(scheme) ? .contact(text) : nil
    case nil: break
    }
    if text.hasPrefix("//") {
      // Without a dot it is a path that begins with two slashes rather than a host.
      let url = WebURL("https:" + text)
      return url.flatMap { $0.host.contains(".") ? .external($0.absoluteString) : nil }
    }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let fragment = parts.count > 1 ? BookIdentifier.fragment(String(parts[1])) : nil
    let local = BookReferences.local(text)
    // An empty fragment is the top of the page (HTML section 7.4.2.3.3).
    if local.isEmpty { return parts.count > 1 ? .local("#" + (fragment ?? "")) : nil }
    guard let path = entry(local, from: file) else { return nil }
    if let page = page(of: path) {
      let isWhole = page == BookReferences.contents
      return .local(page + (isWhole ? "" : fragment.map { "#" + $0 } ?? ""))
    }
    if let shown = asset(entry: path, kinds: [.image, .drawing, .audio, .video]) {
      return .local(shown)
    }
    return linked(path).map { .file($0, name: EntryPath.name(of: path)) }
  }

  /// Returns the URL of an entry that browsers do not show; `nil` for a text, which only the limit keeps from
  /// being a page. The file is then kept.
  func linked(_ entry: String) -> String? {
    if isText(entry) { return nil }
    let type = type(of: entry) ?? (FileType.linkedEnding(of: entry), .linked)
    return keep(entry, type.ending, type.kind)
  }

  private func isText(_ entry: String) -> Bool {
    mediaTypes[entry] == "application/xhtml+xml" || PlannedPage.isText(entry)
  }

  /// Returns a reference without its query and fragment.
  private static func local(_ reference: String) -> String {
    String(reference.prefix { $0 != "?" && $0 != "#" })
  }

  /// Returns the URL of a file of one of these kinds; `nil` if the book does not have it.
  func asset(_ reference: String, from file: String, kinds: Set<FileType.Kind>) -> String? {
    let text = reference.trimmed
    if BookReferences.scheme(text) == "data" { return inline(text, kinds: kinds) }
    guard BookReferences.scheme(text) == nil, !text.hasPrefix("//"),
      let path = entry(String(text.prefix { $0 != "#" && $0 != "?" }), from: file)
    else { return nil }
    return asset(entry: path, kinds: kinds)
  }

  /// Returns the entry for a reference, ignoring its query and fragment.
  func entry(_ reference: String, from file: String) -> String? {
    guard !reference.isEmpty else { return nil }
    return EntryPath.resolve(reference, from: file).flatMap { archive?.name(matching: $0) }
  }

  /// Returns the fallback of an entry in a format that reading systems need not support.
  func fallback(of entry: String) -> String? { fallbacks[entry] }

  /// Records a lost part of a page.
  func lose(_ kind: String, _ count: Int = 1) { losses[kind, default: 0] += count }

  /// Records a lost image or font of a style sheet, once for each file and reference.
  func loseStyled(
    _ reference: String, from file: String, _ kind: String = "images of style sheets"
  ) {
    guard !reference.trimmed.isEmpty, lostInStyles.insert("\(file)\n\(reference)").inserted else {
      return
    }
    lose(kind)
  }

  /// A sentence about images in a format that only some browsers show; `nil` without any.
  var rareNote: String? {
    let count = assets.count { $0.output.hasSuffix(".jxl") }
    guard count > 0 else { return nil }
    return "Only some browsers show images of this book, which are in JPEG XL (\(count))."
  }

  /// A sentence about the lost parts; `nil` without any.
  var lossNote: String? {
    let parts = losses.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
    guard !parts.isEmpty else { return nil }
    return "The pages lack parts of the book: \(parts.joined(separator: ", "))."
  }

  /// Returns the URL of a file made from an image or font in a `data:` URL.
  private func inline(_ text: String, kinds: Set<FileType.Kind>) -> String? {
    if let output = known[text] { return "../" + output }
    let font = kinds.contains(.font) ? InlineFont.decode(text) : nil
    guard
      let (mediaType, bytes) = font ?? InlineImage.canonical(text).flatMap(InlineImage.decode),
      let type = FileType.of(path: "", mediaType: mediaType), kinds.contains(type.kind)
    else { return nil }
    return keep(text, type.ending, type.kind, bytes: bytes)
  }

  /// Returns the URL of an entry, or of the first of its fallbacks (EPUB 3.3 section 3.5.1) in a
  /// format that browsers support. The file is then kept.
  func asset(entry first: String, kinds: Set<FileType.Kind>) -> String? {
    var path = first
    var type = type(of: path)
    for _ in 0..<8 where type.map({ !kinds.contains($0.kind) }) ?? true {
      guard let next = fallbacks[path] else { return nil }
      path = next
      type = self.type(of: path)
    }
    guard let type, kinds.contains(type.kind) else { return nil }
    return keep(path, type.ending, type.kind)
  }

  /// Returns the URL of an entry or, with `bytes`, of the content of a `data:` URL.
  private func keep(
    _ source: String, _ ending: String, _ kind: FileType.Kind, bytes: [UInt8]? = nil
  ) -> String {
    if let output = known[source] { return "../" + output }
    let output = "assets/\(BookReferences.number(assets.count + 1)).\(ending)"
    let entry = bytes == nil ? source : "inside a page"
    assets.append(Asset(entry: entry, output: output, kind: kind, bytes: bytes))
    known[source] = output
    return "../" + output
  }

  /// Returns the kind of an entry; `nil` if it is not kept.
  func kind(of entry: String) -> FileType.Kind? { type(of: entry)?.kind }

  private func type(of path: String) -> (ending: String, kind: FileType.Kind)? {
    guard let type = FileType.of(path: path, mediaType: mediaTypes[path]) else { return nil }
    // Browsers sniff files with unknown extensions, which must not turn out to be HTML.
    let isSafe =
      type.ending != "jxl"
      || ImageFormat(prefix: archive?.prefix(path, count: 12) ?? []) == .jpegXL
    // Browsers do not unpack SVG without the header fields of a server.
    let isPacked = type.kind == .drawing && archive?.prefix(path, count: 2) == [0x1F, 0x8B]
    return isSafe && !isPacked ? type : nil
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
