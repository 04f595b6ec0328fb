import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverPDF

/// Runs the program on a PDF as a run does.
struct Inspection {
  static let program =
    (CommandLine.arguments.first ?? "")
    .split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    + "/archiver"

  struct Answer: Decodable {
    var facts: PDFFacts?
    var error: PDFError?
  }

  static func isPossible() -> Bool {
    do {
      _ = try PDFReader()
      return true
    } catch {
      return false
    }
  }

  static func of(_ bytes: [UInt8]) async throws -> Answer? {
    try await TemporaryFolder.with("pdf") { folder in
      let path = folder + "/a.pdf"
      try Data(bytes).write(to: URL(filePath: path))
      return try await at(path)
    }
  }

  static func process(_ path: String) throws -> ChildProcess {
    try ChildProcess(program, [PDFInspection.argument, path], environment: [:])
  }

  static func at(_ path: String) async throws -> Answer? {
    let process = try process(path)
    let code = try await process.wait(limit: .seconds(20))
    guard code == 0 else { return nil }
    return try JSONDecoder().decode(Answer.self, from: Data(process.output.utf8))
  }
}

@Suite(.enabled(if: Inspection.isPossible(), "libqpdf is not installed"))
struct PDFTests {
  @Test(arguments: [
    ("(Plain title)", "Plain title"),
    // PDFDocEncoding: an em dash and a euro sign.
    ("(A \\204 B \\240)", "A — B €"),
    ("<FEFF0048006900200416D83DDE00>", "Hi Ж😀"),
    ("<EFBBBF5A6F65CC88>", "Zoë"),
    ("(two\\nlines\\t and  more)", "two lines and more"), ("()", nil), ("42", nil),
    ("(  )", nil),
  ])
  func `pages and title are read in every encoding`(written: String, title: String?) async throws {
    let answer = try await Inspection.of(PDFBuilder.book(title: Array(written.utf8)))
    #expect(answer?.facts == PDFFacts(pageCount: 3, title: title))
  }

  @Test(arguments: ["0", "-4", "99999999999999", "/Name", "(3)", "[3]", "5 0 R"])
  func `an invalid count is left out`(count: String) async throws {
    let answer = try await Inspection.of(PDFBuilder.book(pages: count, title: Array("(T)".utf8)))
    #expect(answer?.facts == PDFFacts(pageCount: nil, title: "T"))
  }

  @Test func `a title that has no end is cut`() async throws {
    let title = [UInt8](repeating: 0x61, count: 100_000)
    let answer = try await Inspection.of(PDFBuilder.book(title: [0x28] + title + [0x29]))
    #expect(answer?.facts?.title?.count == 501)
  }

  @Test func `an invalid or truncated PDF gives no facts and does no harm`() async throws {
    #expect(try await Inspection.of(Array("<html>".utf8))?.error?.code == .unreadable)
    #expect(try await Inspection.of([])?.error?.code == .unreadable)
    #expect(try await Inspection.at("/nowhere.pdf")?.error?.code == .unreadable)
    let whole = PDFBuilder.book(title: Array("(T)".utf8))
    for count in stride(from: 0, to: whole.count, by: 7) {
      let answer = try #require(try await Inspection.of(Array(whole.prefix(count))))
      #expect(answer.error != nil || answer.facts != nil)
    }
  }

  @Test func `trees that lead back to themselves end`() async throws {
    let loop = PDFBuilder.book(catalog: "/Pages 1 0 R")
    #expect(try await Inspection.of(loop)?.facts == PDFFacts())
    let deep = String(repeating: "[", count: 200_000)
    let answer = try await Inspection.of(PDFBuilder.book(catalog: "/Pages 2 0 R /Deep \(deep)"))
    #expect(answer == nil || answer?.error != nil || answer?.facts != nil)
  }

  @Test func `a file that would fill the memory ends in its own process`() async throws {
    guard let python = ChildProcess.find("python3") else {
      print("skipped: python3 makes the file of this test")
      return
    }
    try await TemporaryFolder.with("pdf") { folder in
      let path = folder + "/bomb.pdf"
      let maker = try ChildProcess(python, ["-c", Self.bomb, path], environment: [:])
      #expect(try await maker.wait(limit: .seconds(60)) == 0, "\(maker.errorOutput)")
      let start = ContinuousClock.now
      let answer = try await Inspection.at(path)
      #expect(answer?.facts?.pageCount == nil, "the page count lies behind 1 GiB of zeros")
      #expect(ContinuousClock.now - start < .seconds(15))
    }
  }

  /// A PDF whose objects are in a stream of 1 GiB, 1 MB when compressed.
  private static let bomb = """
    import sys, zlib
    packer = zlib.compressobj(9)
    data = packer.compress(b"2 0 << /Type /Pages /Count 7 /Kids [] >> ")
    block = bytes(1 << 20)
    for _ in range(1024): data += packer.compress(block)
    data += packer.flush()
    out = bytearray(b"%PDF-1.7\\n")
    at1 = len(out); out += b"1 0 obj\\n<< /Type /Catalog /Pages 2 0 R >>\\nendobj\\n"
    at3 = len(out)
    out += b"3 0 obj\\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length %d >>\\nstream\\n" % len(data)
    out += data + b"\\nendstream\\nendobj\\n"
    at4 = len(out)
    rows = b"".join(t.to_bytes(1, "big") + a.to_bytes(4, "big") + b.to_bytes(1, "big") for t, a, b in
      [(0, 0, 0), (1, at1, 0), (2, 3, 0), (1, at3, 0), (1, at4, 0)])
    out += b"4 0 obj\\n<< /Type /XRef /Size 5 /W [1 4 1] /Root 1 0 R /Length %d >>\\nstream\\n" % len(rows)
    out += rows + b"\\nendstream\\nendobj\\nstartxref\\n%d\\n%%%%EOF\\n" % at4
    open(sys.argv[1], "wb").write(out)
    """

  @Test func `a megabyte that would take half a minute is given up after a second`() async throws {
    try await TemporaryFolder.with("pdf") { folder in
      let path = folder + "/comments.pdf"
      let book = PDFBuilder.book(pages: "3", title: Array("(Slow)".utf8))
      try Data(
        Array("%PDF-1.4\n".utf8) + Array(String(repeating: "%\n", count: 500_000).utf8) + book
      )
      .write(to: URL(filePath: path))
      let process = try Inspection.process(path)
      // The system kills the process at its limit of CPU time, independent of wall time. Later
      // versions of the library read the file in time.
      let code = try await process.wait(limit: .seconds(100))
      #expect([0, 128 + SIGKILL].contains(code), "\(code)")
      for (bytes, seconds) in [(0, 1), (1_000_000, 1), (8 << 20, 2), (1 << 30, 10)] {
        #expect(PDFInspection.seconds(bytes: bytes) == seconds)
      }
    }
  }

  @Test func `a password hides what a PDF says`() async throws {
    guard let qpdf = ChildProcess.find("qpdf") else {
      print("skipped: qpdf encrypts the file of this test")
      return
    }
    try await TemporaryFolder.with("pdf") { folder in
      let plain = folder + "/plain.pdf"
      try Data(PDFBuilder.book(pages: "0", title: Array("(Secret)".utf8)))
        .write(to: URL(filePath: plain))
      for (user, code) in [("reader", PDFError.Code.encrypted), ("", nil)] {
        let path = folder + "/locked.pdf"
        let lock = try ChildProcess(
          qpdf, ["--encrypt", user, "owner", "256", "--", plain, path], environment: [:])
        #expect(try await lock.wait(limit: .seconds(20)) == 0, "\(lock.errorOutput)")
        let answer = try #require(try await Inspection.at(path))
        #expect(answer.error?.code == code)
        #expect(answer.facts?.title == (code == nil ? "Secret" : nil), "what any reader may open")
      }
    }
  }
}
