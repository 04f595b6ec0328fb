import Testing

@testable import ArchiverEPUB

/// The targets of links inside a book.
@Suite struct TargetTests {
  private func convert(_ pages: [String], files: [String] = []) throws -> (
    ConvertedBook, MemorySink
  ) {
    let sink = MemorySink()
    let builder = BookBuilder(
      pages: pages.enumerated().map { ("p\($0.offset + 1).xhtml", BookBuilder.page($0.element)) },
      files: files.map { ($0, "application/octet-stream", [1]) })
    return (try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }, sink)
  }

  /// Returns the values of an attribute in the content of a page.
  private static func values(_ name: String, _ html: String) -> [String] {
    let body = html.split(separator: "<main").last.map(String.init) ?? html
    return body.split(separator: " \(name)=\"").dropFirst().map {
      String($0.prefix { $0 != "\"" })
    }.filter { $0.contains("c-") }
  }

  /// Whether the first link of a page leads to an id of the same page, as browsers decode it.
  private static func isMet(_ html: String) -> Bool {
    guard let link = values("href", html).first, let hash = link.firstIndex(of: "#") else {
      return false
    }
    return values("id", html).contains(decoded(String(link[link.index(after: hash)...])))
  }

  private static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == 0x25,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static let long = String(repeating: "é", count: 400)

  @Test(arguments: [
    (long, long), ("plain", "plain"), ("a b", "a%20b"), ("a%20b", "a%20b"), ("a%20b", "a%2520b"),
    ("über", "%C3%BCber"), ("%C3%BCber", "über"), ("50%", "50%25"), ("50%", "50%"),
    ("a.b:c", "a.b:c"), ("(1)", "(1)"), ("a&amp;b", "a&amp;b"), ("\u{A0}x", "%C2%A0x"),
  ])
  func `a link finds its target, whatever characters the id has`(id: String, fragment: String)
    throws
  {
    let (book, sink) = try convert(["<a href=\"#\(fragment)\">x</a><p id=\"\(id)\">y</p>"])
    let html = sink.text("text/0001.html").split(separator: "&amp;").joined(separator: "&")
    #expect(Self.isMet(html), "\(html)")
    #expect(book.notes.isEmpty)
  }

  @Test func `long ids stay distinct`() throws {
    let (_, sink) = try convert([
      "<p id=\"\(Self.long)1\">x</p><p id=\"\(Self.long)2\">y</p>"
    ])
    let ids = Self.values("id", sink.text("text/0001.html")).filter { $0.contains("é") }
    #expect(Set(ids).count == 2)
    #expect(ids.allSatisfy { $0.utf8.count <= 514 })
  }

  @Test(arguments: [
    "<a name=\"t\">y</a>", "<a name=\"t\" id=\"other\">y</a>",
    "<a name=\"t\" id=\"other\" epub:type=\"pagebreak\" title=\"3\"/>",
    "<blink id=\"t\">y</blink>", "<img id=\"t\" src=\"no.png\" alt=\"y\"/>",
    "<video id=\"t\" src=\"no.mp4\">y</video>", "<object id=\"t\" data=\"no.swf\">y</object>",
    "<iframe id=\"t\" src=\"no.xyz\"></iframe>", "<map id=\"t\" name=\"m\"/>",
    "<input id=\"t\" type=\"text\"/>", "<applet id=\"t\">y</applet>",
    "<epub:switch id=\"t\"><epub:default>y</epub:default></epub:switch>",
    "<picture id=\"t\"><img src=\"no.png\" alt=\"y\"/></picture>",
  ])
  func `a link finds its target, whatever element has the id`(target: String) throws {
    let (_, sink) = try convert(["<a href=\"#t\">x</a>\(target)"])
    let html = sink.text("text/0001.html")
    #expect(Self.isMet(html), "\(html)")
  }

  @Test func `style sheets find elements whose ids are written in another way`() throws {
    let page = BookBuilder.page(
      "<p id=\"a%20b\">x</p>", head: "<style>#a\\%20b{color:red;margin:1em}</style>")
    let sink = MemorySink()
    let builder = BookBuilder(pages: [("a.xhtml", page)])
    _ = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    let html = sink.text("text/0001.html")
    #expect(html.contains("id=\"c-a-b\"") && html.contains("#c-a-b{"), "\(html)")
  }

  @Test func `parts of drawings find each other by odd ids`() throws {
    let (_, sink) = try convert([
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><linearGradient id=\"g 1\"/>"
        + "<rect fill=\"url(#g 1)\"/></svg>"
    ])
    let html = sink.text("text/0001.html")
    #expect(html.contains("id=\"c-g-1\"") && html.contains("url(#c-g-1)"), "\(html)")
  }

  @Test(arguments: [
    ("data.xyz", "bin"), ("a/Data.PDF", "pdf"), ("data.csv", "csv"), ("data.hta", "bin"),
    ("data", "bin"), ("data.ttf", "ttf"),
  ])
  func `a file that browsers do not show is kept and saved under its name`(
    path: String, ending: String
  ) throws {
    let (book, sink) = try convert(
      ["<a href=\"\(path)\">x</a><a href=\"absent.xyz\">y</a>"], files: [path])
    #expect(book.notes == ["The pages lack parts of the book: links that lead nowhere (1)."])
    let name = path.hasPrefix("a/") ? String(path.dropFirst(2)) : path
    let link = "<a href=\"../assets/0001.\(ending)\" download=\"\(name)\">x</a><a>y</a>"
    #expect(sink.text("text/0001.html").contains(link), "\(sink.text("text/0001.html"))")
    #expect(sink.files["assets/0001.\(ending)"] == [1])
  }

  @Test func `a text beyond the limit of pages is counted and not kept as a file`() throws {
    var limits = EPUBLimits()
    limits.pages = 1
    let sink = MemorySink()
    let builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page("<a href=\"b.html\">x</a>"))],
      files: [("b.html", "text/html", [1])])
    let book = try builder.withFile {
      try EPUBConverter(limits: limits).convert(path: $0, to: sink)
    }
    #expect(book.notes.last == "The pages lack parts of the book: linked files (1).")
    #expect(!sink.files.keys.contains { $0.hasPrefix("assets/") })
  }

  @Test(arguments: ["absent.xhtml#a", "/wiki/Page", "?page=2", "javascript:go()"])
  func `a link that leads nowhere is counted, and its text is kept`(address: String) throws {
    for markup in [
      "<a href=\"\(address)\">x</a>",
      "<svg xmlns=\"http://www.w3.org/2000/svg\"><a href=\"\(address)\"><text>x</text></a></svg>",
    ] {
      let (book, sink) = try convert([markup])
      #expect(book.notes == ["The pages lack parts of the book: links that lead nowhere (1)."])
      #expect(sink.text("text/0001.html").contains(">x<"))
    }
  }

  @Test func `a link without an address and one to its own page are not counted`() throws {
    let (book, _) = try convert(["<a href=\" \">x</a><a name=\"y\">y</a><a href=\"#y\">z</a>"])
    #expect(book.notes.isEmpty)
  }

  @Test(arguments: [("#", "#"), ("//e.example/x", "https://e.example/x")])
  func `a link without path or scheme is kept`(link: String, kept: String) throws {
    let (_, sink) = try convert(["<a href=\"\(link)\">x</a>"])
    #expect(sink.text("text/0001.html").contains("<a href=\"\(kept)\""))
  }
}
