import ArchiverCore
import ArchiverEPUB
import ArchiverMarkup
import ArchiverTestKit

extension FuzzTarget {
  /// The parts of a book, each in a valid archive: the package, its contents, pages, styles.
  static func bookParts() throws -> FuzzTarget {
    let seeds = BookSample.entries.indices.map { [UInt8($0)] + BookSample.entries[$0].bytes }
    return FuzzTarget(
      name: "book", dictionary: Words.book + Words.xml, seeds: seeds, hasSelector: true
    ) { input in
      guard let first = input.first else { return [] }
      var entries = BookSample.entries
      entries[Int(first) % entries.count].bytes = Array(input.dropFirst())
      return await converted(StoredZip.archive(entries))
    }
  }

  /// The archive itself.
  static func bookArchive() -> FuzzTarget {
    FuzzTarget(
      name: "epub", dictionary: Words.zip, seeds: [StoredZip.archive(BookSample.entries)],
      check: { await converted($0) })
  }

  /// A FictionBook as text.
  static let fictionBook = FuzzTarget(
    name: "fb2", dictionary: Words.xml + Words.fictionBook,
    seeds: [Array(BookSample.fictionBook.utf8)]
  ) { input in
    await converted(input) { path, sink throws(EPUBError) in
      try FictionBookConverter().convert(path: path, to: sink)
    }
  }

  /// A comic in each archive format that can be written without compression.
  static let comic = FuzzTarget(
    name: "comic", dictionary: Words.zip + ["Rar!", "ustar", "ComicInfo.xml", ".jxl", "../"],
    seeds: [
      StoredZip.archive(BookSample.comic), StoredRar.four(BookSample.comic),
      StoredRar.five(BookSample.comic), StoredRar.tar(BookSample.comic),
    ]
  ) { input in
    await converted(input) { path, sink throws(EPUBError) in
      try ComicConverter().convert(path: path, title: "A Comic", to: sink)
    }
  }

  private static func converted(
    _ archive: [UInt8],
    by convert:
      @Sendable (_ path: String, _ sink: any BookSink) throws(EPUBError) -> ConvertedBook = {
        path, sink throws(EPUBError) in try EPUBConverter().convert(path: path, to: sink)
      }
  ) async -> [String] {
    do {
      return try await TemporaryFolder.with("fuzz") { folder in
        let path = folder + "/book.epub"
        try Data(archive).write(to: URL(fileURLWithPath: path))
        let sink = PageSink()
        do throws(EPUBError) {
          _ = try convert(path, sink)
        } catch {
          return error.message.isEmpty ? ["a refusal without words"] : sink.problems
        }
        return sink.problems
      }
    } catch {
      return ["the file could not be written: \(error)"]
    }
  }
}

extension Words {
  static let fictionBook = [
    "<section>", "</section>", "<binary id=\"c.png\">", "<a l:href=\"#n\">", "<image l:href=\"#",
    "<title>", "<poem>", "<empty-line/>", "<p>", "javascript:",
  ]
}

/// Checks the pages of a book while they are written.
private final class PageSink: BookSink {
  private(set) var problems: [String] = []
  private var paths: Set<String> = []
  private var path = ""
  private var bytes: [UInt8] = []

  func begin(_ path: String) {
    let isPlain = path.utf8.allSatisfy {
      (0x61...0x7A).contains($0) || (0x2E...0x39).contains($0) || $0 == 0x2D
    }
    if !isPlain || path.hasPrefix("/") || path.contains("..") { problems.append("path \(path)") }
    if !paths.insert(path).inserted { problems.append("\(path) twice") }
    self.path = path
    bytes = []
  }

  func receive(_ piece: UnsafeRawBufferPointer) { bytes += piece }

  func end() {
    if path.hasSuffix(".html") { problems += BookPage.problems(bytes) }
    if path.hasSuffix(".css") { problems += BookPage.problems(ofStyle: bytes) }
  }
}

/// The checks of what the content of a book's page must not contain.
private enum BookPage {
  private static let forbidden: Set<String> = [
    "script", "style", "title", "textarea", "noscript", "iframe", "xmp", "plaintext", "template",
    "object", "embed", "form", "input", "base", "meta", "link", "select", "option",
    "foreignobject", "animate", "set", "annotation", "annotation-xml", "desc", "body", "html",
  ]

  static func problems(_ page: [UInt8]) -> [String] {
    guard let text = String(validating: page, as: UTF8.self) else { return ["not UTF-8"] }
    if text.utf8.contains(0) { return ["a zero byte"] }
    guard let start = text.firstRange(of: "<main"), let end = text.firstRange(of: "</main>") else {
      return ["no content"]
    }
    var problems: [String] = []
    // Compiled once, because compilation takes longer than matching.
    let pattern = #/ ([A-Za-z:-]+)="([^"]*)"/#.matchingSemantics(.unicodeScalar)
    // The frame with the other page of a spread.
    let mate =
      #/\/iframe|iframe class="mate" src="\d+\.html#alone" title="[^"]*" loading="lazy" scrolling="no"/#
    for tag in text[start.lowerBound..<end.lowerBound].split(separator: "<").dropFirst() {
      let tag = tag.prefix { $0 != ">" }
      let name = tag.drop { $0 == "/" }.prefix { !$0.isWhitespace && $0 != "/" }.lowercased()
      if forbidden.contains(name), tag.wholeMatch(of: mate) == nil {
        problems.append("element \(name)")
      }
      problems += attributes(of: tag, name, pattern)
    }
    return problems
  }

  private static func attributes(
    of tag: Substring, _ element: String, _ pattern: Regex<(Substring, Substring, Substring)>
  ) -> [String] {
    var problems: [String] = []
    for match in tag.matches(of: pattern) {
      let name = match.1.lowercased()
      let value = match.2.lowercased()
      let isLink = element == "a" && name == "href"
      let isOutside = value.contains("://") || value.hasPrefix("//") || value.contains("script:")
      if name.hasPrefix("on") || name == "srcdoc" { problems.append("handler \(name)") }
      let names = ["src", "href", "xlink:href", "srcset", "poster", "data", "action"]
      if names.contains(name), isOutside,
        !(isLink && (value.hasPrefix("http") || LinkScheme.isInert(address: value)))
      {
        problems.append("\(name) \(value.prefix(80))")
      }
      if name == "style", value.contains("//") || value.contains("script:") {
        problems.append("style \(value.prefix(80))")
      }
    }
    return problems
  }

  static func problems(ofStyle bytes: [UInt8]) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    let bad = ["url(//", "url(\"//", "url(http", "url(\"http", "@import", "expression(", "</style"]
    return bad.filter { text.contains($0) }.map { "style with \($0)" }
  }
}
