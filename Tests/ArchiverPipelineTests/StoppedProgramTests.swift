import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Programs that read books: when they are stopped, and how much of their output is read.
struct StoppedProgramTests {
  private static func script(_ text: String, at path: String) throws -> String {
    try ProgramFile.write("#!/bin/sh\n\(text)\n", to: path)
    return path
  }

  /// Returns why a program that does not end made no book.
  private static func reason(_ time: Duration, isCancelled: Bool) async throws -> String {
    try await TemporaryFolder.with("stopped") { folder in
      let path = try script("exec sleep 600", at: folder + "/ebook-convert")
      let program = BookProgram(path: path, searchPath: "/usr/bin:/bin", time: time)
      try Data("words".utf8).write(to: URL(filePath: folder + "/book"))
      let task = Task { () -> String in
        if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
        do throws(BookProgram.Failure) {
          return try program.convert(
            folder + "/book", mediaType: "application/rtf", in: folder + "/work")
        } catch {
          return error.reason
        }
      }
      return await task.value
    }
  }

  @Test func `a program is stopped with the run that started it`() async throws {
    #expect(try await Self.reason(.seconds(300), isCancelled: true) == "the run was stopped")
  }

  @Test func `a program that exceeds its time is stopped, and the time is reported`() async throws {
    let time = Duration.milliseconds(30)
    #expect(try await Self.reason(time, isCancelled: false) == "it took longer than \(time)")
  }

  @Test(arguments: [(14, true), (15, true), (13, false)])
  func `as many bytes of a document's text are read as the limit allows`(
    limit: Int, isRead: Bool
  ) async throws {
    let source = ScriptedSource()
    var item = ScriptedSource.Item(id: "b", title: "A Scan", html: nil)
    let djvu: [UInt8] = Array("AT&TFORM".utf8) + [0, 0, 0, 4] + Array("DJVUINFO".utf8)
    item.attachments = [
      Attachment(.file, .inline(djvu), name: "a.djvu", mediaType: "image/vnd.djvu")
    ]
    source.set(item)
    try await TemporaryFolder.with("djvu") { folder in
      // The text has 14 bytes.
      let words = try Self.script(
        "printf '%s' '(page \"zebra\")' >\"$3\"", at: folder + "/djvutxt")
      let pictures = try Self.script("printf '%%PDF-1.4' >\"$4\"", at: folder + "/ddjvu")
      let programs = DjVuPrograms(
        words: words, pictures: pictures, searchPath: "/usr/bin:/bin", time: .seconds(20))
      try await Bench.with(source) { bench in
        let report = try await bench.run {
          $0.djvuPrograms = programs
          $0.limits[.bookTextSize] = limit
        }
        #expect(report.archived == 1)
        #expect(try bench.text("b", "book/text/0001.html").contains("zebra") == isRead)
        let note = "The text of the document could not be read: there are too many or none."
        #expect(try bench.page("b").contains(note) == !isRead)
      }
    }
  }
}
