import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverPDF

/// The installed program, started by archiver.
private let program = PDFText(searchPath: "/usr/local/bin:/usr/bin:/opt/homebrew/bin").map {
  PDFText(path: $0.path, starter: Inspection.program)
}

@Suite(.enabled(if: program != nil, "pdftotext is not installed"))
struct PDFTextTests {
  /// A PDF with a line of text on each page.
  private static func book(_ pages: [String]) -> [UInt8] {
    let kids = pages.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
    var objects = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count \(pages.count) /Kids [\(kids)] >>",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for (number, text) in pages.enumerated() {
      let content = "BT /F1 12 Tf 40 700 Td (\(text)) Tj ET"
      objects.append(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents \(5 + 2 * number) 0 R "
          + "/Resources << /Font << /F1 3 0 R >> >> >>")
      objects.append(
        "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream")
    }
    return PDFBuilder.file(objects.map { Array($0.utf8) })
  }

  private static func pages(_ bytes: [UInt8], limit: Int = 10_000) async throws -> [String] {
    try await TemporaryFolder.with("pdf") { folder in
      let path = folder + "/-a b.pdf"
      try Data(bytes).write(to: URL(filePath: path))
      return try #require(program).pages(of: path, limit: limit).map { text in
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      }
    }
  }

  @Test func `gives the text of each page`() async throws {
    let book = Self.book(["A harbour at dawn", "The \\(second\\) page", "Caf\\351"])
    #expect(
      try await Self.pages(book) == ["A harbour at dawn", "The (second) page", "Café", ""])
  }

  @Test func `takes no more than it may`() async throws {
    let book = Self.book(["A harbour at dawn", "The second page"])
    #expect(try await Self.pages(book, limit: 9) == ["A harbour"])
    #expect(try await Self.pages(book, limit: 0) == [])
  }

  @Test func `a missing or invalid PDF has no text`() async throws {
    #expect(try await Self.pages(Array("no PDF at all".utf8)) == [""])
    #expect(try #require(program).pages(of: "/nowhere/a.pdf", limit: 10) == [])
  }

  @Test func `is found only where it is`() {
    #expect(PDFText(searchPath: "/nowhere:relative")?.path == nil)
  }
}
