import ArchiverCore
import ArchiverEPUB
import ArchiverMarkup
import ArchiverTestKit
import ArchiverTransport
import Testing

/// The same vectors inside everything that has rules of its own: MathML, drawings, formulas, books.
///
/// The output is opened without a content policy, so that the writers are the only protection.
@Suite(.serialized) struct HostileContextTests {
  /// The contexts into which a vector is put; `nil` if the result is not HTML.
  private static let contexts: [(name: String, wrap: @Sendable (String) -> String)] = [
    ("HTML", { $0 }),
    ("table", { "<table><tr><td>\($0)</td></tr>\($0)</table>" }),
    (
      "MathML",
      {
        "<math><mtext>\($0)</mtext><mi>\($0)</mi><annotation-xml encoding=\"text/html\">\($0)"
          + "</annotation-xml></math>"
      }
    ),
    (
      "MathML attribute",
      {
        "<math href=\"\($0.escapedForMarkup)\"><maction actiontype=\"statusline#\($0.escapedForMarkup)\"><mi>x</mi></maction></math>"
      }
    ),
    (
      "drawing",
      {
        "<svg viewBox=\"0 0 90 90\" width=\"90\" height=\"90\"><title>\($0)</title><desc>\($0)</desc>"
          + "<foreignObject width=\"9\" height=\"9\">\($0)</foreignObject><rect width=\"9\" height=\"9\"/></svg>"
      }
    ),
    (
      "formula",
      { "<p>\\(\\text{\($0.escapedForMarkup)}\\) $$\\href{\($0.escapedForMarkup)}{x}$$</p>" }
    ),
    ("formula script", { "<script type=\"math/tex\">\\text{\($0)}\\unknown{\($0)}</script>" }),
    ("MathML script", { "<script type=\"math/mml\"><math><mtext>\($0)</mtext></math></script>" }),
  ]

  private static func vectors() throws -> [String] {
    try HostileVectors.shared().filter { $0.name != "blns" }.flatMap(\.vectors) + HostileVectors.own
      + HostileVectors.mutation
  }

  /// The inputs of the conformance data of HTML, where it is beside the project.
  private static func conformance() -> [String] {
    let folder = "html5lib/tree-construction"
    return SharedFixtures.names(folder).filter { $0.hasSuffix(".dat") }.flatMap { name in
      let data = SharedFixtures.contents("\(folder)/\(name)") ?? Data()
      return String(decoding: data, as: UTF8.self).components(separatedBy: "#data\n").dropFirst()
        .map { $0.components(separatedBy: "\n#errors")[0] }
    }
  }

  @Test func `nothing runs or loads from within formulas, SVG images and tables`() async throws {
    try await withCanary { canary in
      let planted = try await findings(["<p>x</p>", "<img src=x onerror=alert(1)>"], canary)
      #expect(!planted.isEmpty)
      // With `Scripts/torture --long` all of the conformance data in all contexts, else a fifth of it, and
      // each vector in two of the eight contexts.
      let data = Self.conformance().enumerated().filter { Torture.isLong || $0.offset % 5 == 0 }
      let all = try Self.vectors() + data.map(\.element)
      for (place, (name, wrap)) in Self.contexts.enumerated() {
        var pieces: [String] = []
        var drawings: [[UInt8]] = []
        let tried = all.enumerated().filter { Torture.isLong || $0.offset % 4 == place % 4 }
        for vector in tried.map(\.element) {
          let (html, files) = try written(wrap(vector))
          pieces.append("<div>\(html)</div>")
          drawings += files
        }
        let count = try await open(pieces, canary, name)
        let kept = Set(drawings).sorted { $0.count < $1.count }
        for start in stride(from: 0, to: kept.count, by: 40) {
          let file = try drawing(kept[start..<min(start + 40, kept.count)], canary.folder)
          let found = try await canary.findings(file, isStatic: true)
          #expect(found.isEmpty, "\(name): \(found)")
        }
        print(
          "\(name): \(tried.count) vectors, \(kept.count) drawings; executed or requested: \(count)"
        )
      }
    }
  }

  @Test func `nothing runs or loads from within the pages of a book`() async throws {
    try await withCanary { canary in
      let vectors = try Self.vectors().enumerated()
        .filter { Torture.isLong || $0.offset.isMultiple(of: 3) }.map(\.element)
      var book = EPUBOfChapters()
      for vector in vectors {
        book.add(
          "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><p>a</p>\(vector)</body></html>")
        book.add(
          "<html><body><math><mtext>\(vector)</mtext></math><svg><title>\(vector)</title></svg>")
      }
      let path = "\(canary.folder)/book.epub"
      try Data(StoredZip.archive(book.entries)).write(to: URL(filePath: path))
      let sink = FolderSink("\(canary.folder)/book")
      let converted = try EPUBConverter().convert(path: path, to: sink)
      #expect(converted.pages.count == book.count)
      var executed = 0
      let pages = sink.paths.filter { $0.hasSuffix(".html") || $0.hasSuffix(".svg") }
      for page in pages {
        let found = try await canary.findings("\(canary.folder)/book/\(page)", isStatic: false)
        #expect(found.isEmpty, "\(page): \(found)")
        executed += found.count
      }
      print("pages of a book: \(pages.count); executed or requested: \(executed)")
    }
  }

  /// Opens pieces of HTML together and, where something happens, each by itself to say which it was.
  private func open(_ pieces: [String], _ canary: Canary, _ name: String) async throws -> Int {
    var count = 0
    for start in stride(from: 0, to: pieces.count, by: 100) {
      let group = Array(pieces[start..<min(start + 100, pieces.count)])
      guard try await findings(group, canary).isEmpty else {
        for piece in group {
          let found = try await findings([piece], canary)
          count += found.count
          #expect(found.isEmpty, "\(name): \(found) for \(piece)")
        }
        continue
      }
    }
    return count
  }

  private func findings(_ pieces: [String], _ canary: Canary) async throws -> [String] {
    let path = "\(canary.folder)/context.html"
    let page =
      "<!doctype html><meta charset=utf-8><title>t</title><main>\(pieces.joined(separator: "\n"))</main>"
    try Data(page.utf8).write(to: URL(filePath: path))
    return try await canary.findings(path, isStatic: true)
  }

  /// Returns what a bundle would have of HTML, and the drawings that it would have as files.
  private func written(_ html: String) throws -> (html: String, drawings: [[UInt8]]) {
    let clean = try HTMLSanitizer().sanitize(
      Array(html.utf8), baseURL: WebURL("https://example.org/dir/page"))
    let slots = ImageExtractor.references(in: clean.bytes).slots
    let bytes = ImageRewriter.rewrite(clean.bytes, slots: slots) { index in
      .missing(reason: "it is gone", originalURL: slots[index].originalURL)
    }
    let drawings = slots.flatMap(\.candidates).compactMap { source -> [UInt8]? in
      guard case .inline("image/svg+xml", let bytes) = source else { return nil }
      return SVGSanitizer.sanitize(bytes)
    }
    return (String(decoding: bytes, as: UTF8.self), drawings)
  }

  /// Writes drawings into one file, each as it would be by itself.
  private func drawing(_ drawings: ArraySlice<[UInt8]>, _ folder: String) throws -> String {
    let path = "\(folder)/context.svg"
    let inside = drawings.map { drawing -> String in
      let text = String(decoding: drawing, as: UTF8.self)
      guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>") else { return text }
      return String(text[end.upperBound...])
    }
    let file = "<svg xmlns=\"http://www.w3.org/2000/svg\">\(inside.joined())</svg>"
    try Data(file.utf8).write(to: URL(filePath: path))
    return path
  }

  private func withCanary(_ body: (Canary) async throws -> Void) async throws {
    let policy = AddressPolicy(hosts: [AddressPolicy.AllowedHost(host: "127.0.0.1")])
    let engine = CurlEngine(configuration: TransportConfiguration(userAgent: "archiver-tests"))
    guard let browser = try await WebDriver.start(http: engine.client(access: nil, policy: policy))
    else {
      print("skipped: Chromium and its driver are not installed (Scripts/setup --browser)")
      return
    }
    do {
      try await TemporaryFolder.with("canary") { folder in
        let canary = Canary(browser: browser, folder: folder)
        try await canary.prepare()
        try await body(canary)
      }
    } catch {
      await browser.quit()
      throw error
    }
    await browser.quit()
  }
}

/// A book whose chapters are given as they are.
private struct EPUBOfChapters {
  private(set) var count = 0
  private var chapters: [StoredZip.Entry] = []

  mutating func add(_ chapter: String) {
    count += 1
    chapters.append(StoredZip.Entry("c\(count).xhtml", chapter))
  }

  var entries: [StoredZip.Entry] {
    let items = (1...count).map {
      "<item id=\"c\($0)\" href=\"c\($0).xhtml\" media-type=\"application/xhtml+xml\"/>"
    }
    let spine = (1...count).map { "<itemref idref=\"c\($0)\"/>" }
    let package = """
      <package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i">
      <metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">x</dc:identifier>
      <dc:title>x</dc:title><dc:language>en</dc:language></metadata>
      <manifest>\(items.joined())</manifest><spine>\(spine.joined())</spine></package>
      """
    let container = """
      <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
      <rootfile full-path="p.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
      """
    return [
      StoredZip.Entry("mimetype", "application/epub+zip"),
      StoredZip.Entry("META-INF/container.xml", container), StoredZip.Entry("p.opf", package),
    ] + chapters
  }
}

/// Writes the files of a book into a folder.
private final class FolderSink: BookSink {
  private let folder: String
  private(set) var paths: [String] = []
  private var bytes: [UInt8] = []

  init(_ folder: String) { self.folder = folder }

  func begin(_ path: String) throws {
    paths.append(path)
    bytes = []
  }

  func receive(_ piece: UnsafeRawBufferPointer) throws { bytes += piece }

  func end() throws {
    let url = URL(filePath: "\(folder)/\(paths[paths.count - 1])")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }
}
