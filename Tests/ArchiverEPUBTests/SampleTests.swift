import ArchiverCore
import Testing

@testable import ArchiverEPUB

/// The sample books beside the project.
enum SampleBooks {
  static let folder: String? = {
    let environment = ProcessInfo.processInfo.environment
    var candidates = [String]()
    if let set = environment["ARCHIVER_FIXTURES"] { candidates.append(set + "/epub") }
    var parts = #filePath.split(separator: "/").map(String.init)
    while !parts.isEmpty {
      parts.removeLast()
      let root = "/" + parts.joined(separator: "/")
      if FileManager.default.fileExists(atPath: root + "/Package.swift") {
        candidates.append(root + "/../shared/fixtures/epub")
        break
      }
    }
    return candidates.first { FileManager.default.fileExists(atPath: $0) }
  }()
}

@Suite(.enabled(if: SampleBooks.folder != nil, "the sample books are not beside the project"))
struct SampleTests {
  private func convert(_ name: String) throws -> (ConvertedBook, MemorySink) {
    let sink = MemorySink()
    let folder = try #require(SampleBooks.folder)
    return (try EPUBConverter().convert(path: "\(folder)/\(name).epub", to: sink), sink)
  }

  @Test(arguments: [
    ("ok-minimal", "Hello", 0), ("no-mimetype", "Hello", 0), ("latin1", "café", 0),
    ("not-wellformed", "one<br>two", 1), ("zip-slip", "Hello", 1),
  ])
  func `a readable book becomes pages`(name: String, text: String, notes: Int) throws {
    let (book, sink) = try convert(name)
    #expect(book.pages.map(\.path) == ["text/0001.html"])
    #expect(book.pages.first?.title == "One")
    #expect(sink.text("text/0001.html").contains(text))
    #expect(book.notes.count == notes)
    let names: Set = ["text/0001.html", "text/contents.html", "style/page.css"]
    #expect(Set(sink.files.keys) == names)
  }

  @Test func `a link in place of a page is a page that says it is missing`() throws {
    let (book, sink) = try convert("symlink")
    #expect(book.pages.count == 2)
    #expect(book.notes.count == 2)
    #expect(sink.text("text/0002.html").contains("missing from the book"))
  }

  @Test(arguments: ["billion-laughs", "xxe"])
  func `entities of a book's own are never filled in`(name: String) throws {
    let (book, sink) = try convert(name)
    #expect(book.pages.count == 1)
    #expect(sink.files["text/0001.html"]?.count ?? 0 < 6_000)
    #expect(!sink.text("text/0001.html").contains("lollol"))
    #expect(!sink.text("text/0001.html").contains("root:"))
  }

  @Test func `a locked book keeps its metadata and has no pages`() throws {
    let (book, sink) = try convert("drm-lcp")
    #expect(book.protection == "Readium LCP")
    #expect(book.metadata.title == "T")
    #expect(book.pages.isEmpty)
    #expect(sink.files.isEmpty)
  }

  @Test func `a truncated book has the pages that it has, and is said to be truncated`() throws {
    let (book, _) = try convert("truncated")
    #expect(!book.pages.isEmpty)
    #expect(book.damage != nil && book.notes.contains { $0.contains("truncated") })
  }

  @Test func `a published book keeps its chapters, contents and images`() throws {
    let (book, sink) = try convert("debmake-doc.en")
    #expect(book.pages.count > 10)
    // Its logo, the image in the style of its navigation and three links have URLs without files in the book.
    #expect(
      book.notes == [
        "The pages lack parts of the book: images (1), images of style sheets (1), "
          + "links that lead nowhere (3)."
      ])
    let contents = sink.text("text/contents.html")
    #expect(contents.contains("<li><a href=\"00"))
    for (path, bytes) in sink.files where path.hasSuffix(".html") {
      let text = String(decoding: bytes, as: UTF8.self)
      // The one script is ours.
      #expect(
        text.split(separator: "<script", omittingEmptySubsequences: false).count == 2
          && text.contains("<script>\(PageScript.text)</script>"), "\(path)")
      for address in Self.addresses(text) where !address.contains("://") {
        let file = Self.target(of: address)
        #expect(file == nil || sink.files[file ?? ""] != nil, "\(path): \(address)")
      }
    }
  }

  private static func addresses(_ html: String) -> [String] {
    ["href=\"", "src=\""].flatMap { mark in
      html.split(separator: mark).dropFirst().map { String($0.prefix { $0 != "\"" }) }
    }
  }

  /// The file that a URL in a page refers to; `nil` outside the book's folder.
  private static func target(of address: String) -> String? {
    let path = String(address.prefix { $0 != "#" })
    if path.isEmpty || path.hasPrefix("../../") || path.hasPrefix("mailto:") { return nil }
    return path.hasPrefix("../") ? String(path.dropFirst(3)) : "text/" + path
  }
}
