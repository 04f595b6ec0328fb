import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Books that another program makes readable.
@Suite struct BookProgramTests {
  private static let mobi = [UInt8](repeating: 0, count: 60) + Array("BOOKMOBI".utf8)

  private static func source() -> ScriptedSource {
    let source = ScriptedSource()
    var item = ScriptedSource.Item(id: "b", title: "A Book", html: nil)
    item.attachments = [
      Attachment(
        .file, .inline(mobi), name: "a.mobi", mediaType: "application/x-mobipocket-ebook")
    ]
    source.set(item)
    return source
  }

  /// Runs a book through a shell script in the place of the program.
  private static func run(
    _ script: String, time: Duration = .seconds(20), _ check: (Bench) throws -> Void
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
        try check(bench)
        let left = try FileManager.default.contentsOfDirectory(
          atPath: bench.archive.path + "/.archiver/staging")
        #expect(left == [])
      }
    }
  }

  @Test func `a book of another kind is read by the program that is installed`() async throws {
    let script = "case $1 in *.mobi) cp \"${PATH##*:}/sample.epub\" \"$2\";; esac"
    try await Self.run(script) { bench in
      #expect(try bench.text("b", "book/text/0001.html").contains("Once upon a time"))
      let page = try bench.page("b")
      #expect(page.contains("ebook-convert made the pages"))
      #expect(page.contains(".mobi\""))
      #expect(try bench.item("b").metadata.language == "de")
    }
  }

  @Test(arguments: ["exit 3", "echo no EPUB >\"$2\"", ":", "kill -9 $$"])
  func `a program that fails costs a note, and the file stays`(script: String) async throws {
    try await Self.run(script) { bench in
      let page = try bench.page("b")
      #expect(page.contains("ebook-convert could not read") || page.contains("made readable"))
      #expect(page.contains(".mobi\"") && !page.contains("book/text"))
      let losses = try bench.item("b").losses
      #expect(losses?.total == 0)
    }
  }

  @Test func `a program that never ends is stopped with all that it started`() async throws {
    let clock = ContinuousClock()
    let begin = clock.now
    try await Self.run("sleep 600 & sleep 600", time: .milliseconds(300)) { bench in
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
