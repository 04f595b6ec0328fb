import ArchiverCore
import ArchiverSite
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Books that another program converts.
@Suite struct BookProgramTests {
  /// A list of one record, which begins at the first byte.
  private static let mobi =
    [UInt8](repeating: 0, count: 60) + Array("BOOKMOBI".utf8)
    + [UInt8](repeating: 0, count: 8) + [0, 1] + [UInt8](repeating: 0, count: 8)

  private static let file = Attachment(
    .file, .inline(mobi), name: "a.mobi", mediaType: "application/x-mobipocket-ebook")

  private static func source() -> ScriptedSource {
    let source = ScriptedSource()
    var item = ScriptedSource.Item(id: "b", title: "A Book", html: nil)
    item.attachments = [file]
    source.set(item)
    return source
  }

  /// Converts a book with a shell script instead of the program.
  private static func run(
    _ script: String, time: Duration = .seconds(20),
    _ check: (Bench, BookProgram) async throws -> Void
  ) async throws {
    try await TemporaryFolder.with("program") { folder in
      let path = folder + "/ebook-convert"
      try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
      chmod(path, 0o700)
      let epub = folder + "/sample.epub"
      try Data(
        try #require(Data(base64Encoded: BookPagesTests.epub, options: .ignoreUnknownCharacters))
      )
      .write(to: URL(fileURLWithPath: epub))
      let program = BookProgram(path: path, searchPath: "/usr/bin:/bin:" + folder, time: time)
      try await Bench.with(source()) { bench in
        let report = try await bench.run { $0.bookProgram = program }
        #expect(report.archived == 1)
        try await check(bench, program)
        let left = try FileManager.default.contentsOfDirectory(
          atPath: bench.archive.path + "/.archiver/staging")
        #expect(left == [])
      }
    }
  }

  @Test func `a book of another kind is read by the program that is installed`() async throws {
    let script = "case $1 in *.mobi) cp \"${PATH##*:}/sample.epub\" \"$2\";; esac"
    try await Self.run(script) { bench, _ in
      #expect(try bench.text("b", "book/text/0001.html").contains("Once upon a time"))
      let page = try bench.page("b")
      #expect(page.contains("ebook-convert made the pages"))
      #expect(page.contains(".mobi\""))
      #expect(try bench.item("b").metadata.language == "de")
    }
  }

  @Test func `pages of a program that is gone are not lost when the page is rebuilt`() async throws
  {
    let script = "case $1 in *.mobi) cp \"${PATH##*:}/sample.epub\" \"$2\";; esac"
    try await Self.run(script) { bench, program in
      let before = try bench.snapshot()
      let report = try await bench.render(["b"])
      #expect(report.written == 0)
      #expect(
        report.left.first?.message.contains("pages of the book would be lost: the program") == true)
      #expect(try bench.snapshot() == before)
      let german = try await bench.render(["b"]) {
        $0.words = .german
        $0.bookProgram = program
      }
      #expect(german.written == 1)
      let page = try bench.text("b", "book/text/0001.html")
      #expect(page.contains(">Über dieses Buch</a>") && page.contains("Once upon a time"))
    }
  }

  @Test func `pages that wait for a program are made in the run after it was installed`()
    async throws
  {
    let script = "case $1 in *.mobi) cp \"${PATH##*:}/sample.epub\" \"$2\";; esac"
    try await Self.run(script) { bench, program in
      let key = try bench.item("b").key
      try bench.archive.catalog.notePages([key], revision: 0)
      let without = try await bench.report()
      #expect(without.notRemade.map(\.id) == ["b"] && without.remade == 0)
      // It is reported once, and not tried again as long as the program is absent.
      let rendered = try await bench.render()
      #expect(rendered.left.isEmpty)
      let again = try await bench.report()
      #expect(again.notRemade.isEmpty)
      let other = DjVuPrograms(words: nil, pictures: nil, searchPath: "", time: .seconds(1))
      let withOther = try await bench.report { $0.djvuPrograms = other }
      #expect(withOther.notRemade.isEmpty)
      try bench.makeOlder("b") { $0.replacing("<h1", with: "<h1 data-old") }
      try bench.archive.catalog.notePages(
        [key], revision: PageRenderer.revision(in: .english, lacking: .bookProgram))
      let with = try await bench.report { $0.bookProgram = program }
      #expect(with.remade == 1 && with.notRemade.isEmpty)
      let last = try await bench.report { $0.bookProgram = program }
      #expect(last.remade == 0)
    }
  }

  @Test func `a book archived before its program was installed gets its pages in the next run`()
    async throws
  {
    let script = "cp \"${PATH##*:}/sample.epub\" \"$2\""
    try await Self.run(script) { bench, program in
      bench.source.set(
        ScriptedSource.Item(id: "c", title: "Another Book", html: nil, attachments: [Self.file]))
      let without = try await bench.report()
      #expect(without.sources.first?.archived == 1)
      #expect(throws: (any Error).self) { try bench.text("c", "book/text/0001.html") }
      let with = try await bench.report { $0.bookProgram = program }
      #expect(with.remade == 1)
      #expect(try bench.text("c", "book/text/0001.html").contains("Once upon a time"))
    }
  }

  /// Failing is not the same as being gone: the first is told with the program's reason.
  @Test(arguments: [
    (nil, "the program that made them is not installed"),
    ("exit 3", "ebook-convert could not read the book"),
  ])
  func `a changed book whose pages cannot be made again keeps its earlier copy`(
    script: String?, reason: String
  ) async throws {
    let copying = "case $1 in *.mobi) cp \"${PATH##*:}/sample.epub\" \"$2\";; esac"
    try await Self.run(copying) { bench, program in
      bench.source.change("b") {
        $0.title = "Another title"
        $0.revision = "2"
      }
      try Data("#!/bin/sh\n\(script ?? "")\n".utf8).write(to: URL(fileURLWithPath: program.path))
      let failed = try await bench.run { $0.bookProgram = script == nil ? nil : program }
      #expect(failed.archived == 0)
      #expect(failed.failed.first?.message.contains(reason) == true, "\(failed.failed)")
      #expect(try bench.text("b", "book/text/0001.html").contains("Once upon a time"))
      #expect(try bench.item("b").metadata.title == "A Book")
      // Asked to, it takes the copy without pages.
      let accepted = try await bench.run {
        $0.acceptsWorse = true
        $0.force = true
      }
      #expect(accepted.archived == 1)
      #expect(try bench.item("b").metadata.title == "Another title")
      #expect(try bench.page("b").contains("book/text") == false)
    }
  }

  @Test func `a book in a format that every browser shows may lose its pages`() async throws {
    let copying = "case $1 in *.mobi) cp \"${PATH##*:}/sample.epub\" \"$2\";; esac"
    try await Self.run(copying) { bench, _ in
      bench.source.change("b") {
        $0.title = "Another title"
        $0.revision = "2"
        $0.attachments = [
          Attachment(
            .file, .inline(Array("Once upon a time.\n".utf8)), name: "a.txt",
            mediaType: "text/plain")
        ]
      }
      let report = try await bench.run()
      #expect(report.archived == 1)
      #expect(try bench.page("b").contains(".txt\""))
    }
  }

  @Test(arguments: ["exit 3", "echo no EPUB >\"$2\"", ":", "kill -9 $$"])
  func `a program that fails costs a note, and the file stays`(script: String) async throws {
    try await Self.run(script) { bench, _ in
      let page = try bench.page("b")
      #expect(
        page.contains("ebook-convert could not read") || page.contains("could not be converted"))
      #expect(page.contains(".mobi\"") && !page.contains("book/text"))
      let losses = try bench.item("b").losses
      #expect(losses?.total == 0)
    }
  }

  @Test func `a program that never ends is stopped with all that it started`() async throws {
    let clock = ContinuousClock()
    let begin = clock.now
    try await Self.run("sleep 600 & sleep 600", time: .milliseconds(300)) { bench, _ in
      let page = try bench.page("b")
      #expect(page.contains("took longer than"))
    }
    #expect(clock.now - begin < .seconds(300))
  }

  @Test func `a program is looked for in the folders of the path`() throws {
    #expect(BookProgram(searchPath: "") == nil)
    #expect(BookProgram(searchPath: "relative:/nowhere") == nil)
  }
}

/// DjVu documents, converted by scripts instead of DjVuLibre's programs.
@Suite struct DjVuTests {
  private static let djvu = Array("AT&TFORM".utf8) + [0, 0, 0, 4] + Array("DJVUINFO".utf8)

  private static func source() -> ScriptedSource {
    let source = ScriptedSource()
    var item = ScriptedSource.Item(id: "b", title: "A Scan", html: nil)
    item.attachments = [
      Attachment(.file, .inline(djvu), name: "a.djvu", mediaType: "image/vnd.djvu")
    ]
    source.set(item)
    return source
  }

  /// - Parameters:
  ///   - words: the fake `djvutxt`; `nil` if it is not installed.
  ///   - pictures: the fake `ddjvu`.
  private static func run(
    words: String?, pictures: String?, time: Duration = .seconds(20),
    _ check: (Bench) throws -> Void
  ) async throws {
    try await TemporaryFolder.with("djvu") { folder in
      var paths: [String: String] = [:]
      for (name, script) in [("djvutxt", words), ("ddjvu", pictures)] {
        guard let script else { continue }
        let path = "\(folder)/\(name)"
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o700)
        paths[name] = path
      }
      let programs = DjVuPrograms(
        words: paths["djvutxt"], pictures: paths["ddjvu"], searchPath: "/usr/bin:/bin", time: time)
      try await Bench.with(source()) { (bench) throws in
        let report = try await bench.run { $0.djvuPrograms = programs }
        #expect(report.archived == 1)
        #expect(try bench.item("b").losses?.total == 0)
        #expect(try bench.page("b").contains(".djvu\""))
        try check(bench)
        let left = try FileManager.default.contentsOfDirectory(
          atPath: bench.archive.path + "/.archiver/staging")
        #expect(left == [])
      }
    }
  }

  private static let twoPages =
    "printf '%s' '(page 0 0 9 9 \"First line\\nsecond <b>\\n\\nNext\\n\") ()' >\"$3\""
  private static let pdf = "printf '%%PDF-1.4 pictures' >\"$4\""

  @Test func `a scan has its words as pages and its images as a PDF beside them`() async throws {
    try await Self.run(words: Self.twoPages, pictures: Self.pdf) { (bench) throws in
      let page = try bench.text("b", "book/text/0001.html")
      #expect(
        page.contains("<p dir=\"auto\">First line second &lt;b&gt;</p><p dir=\"auto\">Next</p>"))
      #expect(page.contains("href=\"../assets/0001.pdf#page=1\""))
      let second = try bench.text("b", "book/text/0002.html")
      #expect(second.contains("The text of this page is unknown"))
      #expect(second.contains("#page=2"))
      #expect(try bench.text("b", "book/assets/0001.pdf") == "%PDF-1.4 pictures")
      #expect(try !bench.page("b").contains("could not be"))
    }
  }

  @Test(arguments: ["exit 3", ":", "kill -9 $$"])
  func `where one program fails the other serves, and that is said`(script: String) async throws {
    try await Self.run(words: script, pictures: Self.pdf) { (bench) throws in
      #expect(try bench.text("b", "book/text/0001.html").contains("#page=1"))
      #expect(try bench.page("b").contains("The text of the document could not be read"))
    }
    try await Self.run(words: Self.twoPages, pictures: script) { (bench) throws in
      #expect(try bench.text("b", "book/text/0001.html").contains("First line"))
      #expect(try bench.page("b").contains("The images of the document could not be converted"))
    }
    try await Self.run(words: script, pictures: script) { (bench) throws in
      let page = try bench.page("b")
      #expect(page.contains("could not be converted") && !page.contains("book/text"))
    }
  }

  @Test func `words are read as the program writes them`() {
    let text =
      "()\n(page 0 0 9 9 \"M\\303\\274ll \\\"q\\\" b\\\\s (x)\\n\")\n(page 0 0 9 9\n (word 1 1 1 1 \"a\") (word 1 1 1 1 \"b\"))\n(page \"cut"
    #expect(DjVuText.pages(Array(text.utf8)) == ["", "Müll \"q\" b\\s (x)\n", "ab"])
    #expect(DjVuText.pages(Array("(page \"\\1015\")".utf8)) == ["A5"], "three octal digits at most")
    #expect(DjVuText.pages(Array(")))\"\\".utf8)) == [])
  }

  @Test func `one program alone is enough`() async throws {
    try await Self.run(words: Self.twoPages, pictures: nil) { (bench) throws in
      #expect(try !bench.text("b", "book/text/0001.html").contains(".pdf"))
      #expect(try bench.page("b").contains("ddjvu is not installed"))
    }
    try await Self.run(words: nil, pictures: Self.pdf) { (bench) throws in
      #expect(try bench.text("b", "book/text/0001.html").contains("#page=1"))
    }
  }

  @Test func `programs that never end are stopped`() async throws {
    try await Self.run(words: "sleep 600", pictures: "sleep 600", time: .milliseconds(200)) {
      (bench) throws in
      #expect(try bench.page("b").contains("took longer than"))
    }
  }

  @Test func `the programs are looked for in the folders of the path`() throws {
    #expect(DjVuPrograms(searchPath: "") == nil)
    #expect(DjVuPrograms(searchPath: "relative:/nowhere") == nil)
  }
}
