import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// Files of which the end did not arrive.
struct FileEndTests {
  private func defect(_ bytes: [UInt8], _ type: String) throws -> String? {
    let folder = try TemporaryFolder.make("end")
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let archive = try Archive.open(path: folder + "/archive", mode: .readWrite(holder: "test"))
    return try FileEnd.defect(
      of: archive.objects.store(bytes), mediaType: type, in: archive.objects)
  }

  private static let zip = "PK\u{3}\u{4}…PK\u{5}\u{6}\0\0\0\0"
  private static let fiction = "<FictionBook xmlns=\"…\">…</FictionBook >"

  @Test(arguments: [
    ("application/pdf", "%PDF-1.7 … startxref 5", "startxref"),
    ("application/pdf", "%PDF-1.7 … %%EOF\n", "%%EOF"),
    ("application/fb2", fiction, "</FictionBook"), ("application/zip", zip, "PK\u{5}"),
    ("application/rtf", "{\\rtf1 words}\r\n\0", "}"),
  ])
  func `a file that ends as its format requires is whole, one without its end is not`(
    type: String, text: String, end: String
  ) throws {
    #expect(try defect(Array(text.utf8), type) == nil)
    let cut = try #require(text.firstRange(of: end))
    #expect(try defect(Array(text[..<cut.lowerBound].utf8), type) != nil)
    #expect(try defect([], type) != nil)
    #expect(try defect(Array(text[..<cut.lowerBound].utf8), "text/plain") == nil)
    // What is long before the end does not count.
    let late = [UInt8](repeating: 0x41, count: 66_000)
    #expect(try defect(Array(text.utf8) + late, type) != nil)
    #expect(try defect(late + late + Array(text.utf8), type) == nil)
  }

  @Test func `a DjVu document has the size that it declares`() throws {
    let type = DjVuPrograms.mediaType
    let head = Array("AT&TFORM".utf8) + [0, 0, 0, 9]
    let body = [UInt8](repeating: 7, count: 9)
    #expect(try defect(head + body, type) == nil)
    #expect(try defect(head + body + [0], type) == nil)
    #expect(try defect(head + body.dropLast(), type) == "it has 20 of 21 bytes")
    #expect(try defect(Array(head.dropLast()), type) == "it lacks its beginning")
  }

  @Test(arguments: ["BOOKMOBI", "TEXtREAd"])
  func `a Kindle book has all records of its list`(mark: String) throws {
    let type = "application/x-mobipocket-ebook"
    func book(records: UInt8, last: UInt8, _ count: Int) -> [UInt8] {
      var bytes = [UInt8](repeating: 1, count: 60) + Array(mark.utf8)
      bytes += [UInt8](repeating: 0, count: 8) + [0, records]
      for record in 0..<records {
        bytes += [0, 0, 0, record + 1 == records ? last : 1, 0, 0, 0, 0]
      }
      return bytes + [UInt8](repeating: 2, count: max(0, count - bytes.count))
    }
    #expect(try defect(book(records: 2, last: 119, 120), type) == nil)
    #expect(try defect(book(records: 2, last: 120, 120), type) == "it lacks records after byte 120")
    #expect(try defect(book(records: 1, last: 100, 120), type) == nil)
    #expect(try defect(book(records: 0, last: 0, 120), type) == "it lacks the list of its records")
    #expect(
      try defect(Array(book(records: 2, last: 0, 94).prefix(89)), type)
        == "it lacks the list of its records")
    #expect(
      try defect(Array(book(records: 2, last: 0, 94).prefix(77)), type)
        == "it lacks the list of its records")
    #expect(
      try defect(Array(book(records: 2, last: 0, 94).prefix(68)), type)
        == "it lacks the list of its records")
    #expect(try defect(Array("TPZ".utf8), type) == nil, "another format has no list")
    #expect(try defect([UInt8](repeating: 0, count: 100), type) == nil)
  }
}
