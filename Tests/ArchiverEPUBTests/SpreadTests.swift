import ArchiverCore
import Testing

@testable import ArchiverEPUB

/// Pages of fixed layout beside each other.
@Suite struct SpreadTests {
  /// The pages, by their numbers, that each page is shown with, in reading order: `1`, `2+3`.
  private static func spreads(
    _ properties: [String], metadata: String = "", spine: String = "", size: String = "600x800"
  ) throws -> [String] {
    let sink = try book(properties, metadata: metadata, spine: spine, size: size)
    return properties.indices.map { index in
      let page = sink.text("text/000\(index + 1).html")
      guard let mate = page.split(separator: "<iframe class=\"mate\" src=\"000").dropFirst().first
      else { return "\(index + 1)" }
      let own = page.firstRange(of: "<article")?.lowerBound ?? page.endIndex
      let other = page.firstRange(of: "<iframe")?.lowerBound ?? page.endIndex
      let number = mate.prefix { $0 != "." }
      return other < own ? "\(number)+\(index + 1)" : "\(index + 1)+\(number)"
    }
  }

  private static func book(
    _ properties: [String], metadata: String = "", spine: String = "", size: String = "600x800"
  ) throws -> MemorySink {
    let sides = size.split(separator: "x")
    let head = "<meta name=\"viewport\" content=\"width=\(sides[0]), height=\(sides[1])\"/>"
    let names = properties.indices.map { "p\($0).xhtml" }
    let builder = BookBuilder(
      pages: names.map { ($0, BookBuilder.page("<p>\($0)</p>", head: head)) },
      metadata: "<meta property=\"rendition:layout\">pre-paginated</meta>" + metadata,
      spine: spine,
      itemProperties: Dictionary(uniqueKeysWithValues: zip(names, properties)))
    let sink = MemorySink()
    _ = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    return sink
  }

  private static func mode(_ value: String) -> String {
    "<meta property=\"rendition:spread\">\(value)</meta>"
  }

  @Test func `pages are in pairs after the cover`() throws {
    #expect(try Self.spreads(["", "", "", ""]) == ["1", "2+3", "2+3", "4"])
    let none = try Self.spreads(["", "", ""], metadata: Self.mode("none"))
    #expect(none == ["1", "2", "3"])
  }

  @Test func `a page is on the side that the book says`() throws {
    let left = ["page-spread-left", "page-spread-right", "page-spread-left", ""]
    #expect(try Self.spreads(left) == ["1+2", "1+2", "3+4", "3+4"])
    let right = ["page-spread-right", "page-spread-left", "rendition:page-spread-center", "", ""]
    #expect(try Self.spreads(right) == ["1", "2", "3", "4+5", "4+5"])
    let twice = ["", "page-spread-left", "page-spread-left", "page-spread-right"]
    #expect(try Self.spreads(twice) == ["1", "2", "3+4", "3+4"])
  }

  @Test func `the right page is the first where pages turn from right to left`() throws {
    let spine = "page-progression-direction=\"rtl\""
    let right = ["page-spread-right", "page-spread-left", ""]
    #expect(try Self.spreads(right, spine: spine) == ["1+2", "1+2", "3"])
    let page = try Self.book(right, spine: spine).text("text/0001.html")
    #expect(page.contains("<div class=\"fixed pair backwards\">"))
  }

  @Test func `a page may differ from the book`() throws {
    let one = ["", "rendition:spread-none", "", ""]
    #expect(try Self.spreads(one) == ["1", "2", "3+4", "3+4"])
    let always = try Self.book(["", "", ""], metadata: Self.mode("both"))
    #expect(always.text("text/0002.html").contains("@media screen and (min-width:48rem){.pair"))
    let wide = try Self.book(["", "", ""], metadata: Self.mode("landscape"))
    #expect(wide.text("text/0002.html").contains("and (min-aspect-ratio:6/5){.pair"))
  }

  @Test func `wide pages are in pairs only if the book says so`() throws {
    #expect(try Self.spreads(["", "", ""], size: "900x600") == ["1", "2", "3"])
    let said = try Self.spreads(["", "", ""], metadata: Self.mode("landscape"), size: "900x600")
    #expect(said == ["1", "2+3", "2+3"])
  }

  @Test func `two pages turn together, and only such a page may have a frame`() throws {
    let sink = try Self.book(["", "", "", ""])
    let third = sink.text("text/0003.html")
    let turns = third.split(separator: "<span class=\"turn ").dropFirst().map {
      String($0.prefix { $0 != "\"" }) + ":"
        + $0.split(separator: "href=\"").dropFirst().prefix(2).map { $0.prefix { $0 != "\"" } }
        .joined(separator: " ")
    }
    #expect(turns.prefix(2) == ["one:0002.html 0004.html", "two:0001.html 0004.html"])
    #expect(third.contains("frame-src 'self'") && third.contains("<body id=\"alone\">"))
    #expect(third.contains("src=\"0002.html#alone\""))
    let first = sink.text("text/0001.html")
    #expect(!first.contains("frame") && !first.contains("alone\">"))
  }

  @Test func `books from before EPUB 3 say in other ways that their layout is fixed`() throws {
    let head = "<meta name=\"viewport\" content=\"width=600, height=800\"/>"
    let options = "META-INF/com.apple.ibooks.display-options.xml"
    for isApple in [true, false] {
      var builder = BookBuilder(
        pages: [("a.xhtml", BookBuilder.page("<p>a</p>", head: head))],
        metadata: isApple ? "" : "<meta name=\"fixed-layout\" content=\"true\"/>")
      if isApple {
        builder.add(
          options,
          "<display_options><platform name=\"*\"><option name=\"fixed-layout\">true</option></platform></display_options>"
        )
      }
      let sink = MemorySink()
      _ = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
      #expect(sink.text("text/0001.html").contains("<div class=\"fixed\">"), "\(isApple)")
    }
  }
}
