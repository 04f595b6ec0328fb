import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

struct FormatTests {
  @Test(arguments: [
    "", "today", "2026-11-21", "2026-11-21T00:00:32", "2026-11-21T00:00:32.Z",
    "2026-11-21T00:00:32Z and more", "2026-11-21T00:00:32.5",
  ])
  func `refuses what is no time`(text: String) {
    #expect(Timestamp(text) == nil)
  }

  @Test(arguments: [
    ("0.22.3", ServerVersion(0, 22, 3)), ("v0.23.0-rc.1", ServerVersion(0, 23, 0)),
    ("1.0", ServerVersion(1, 0, 0)),
  ])
  func `reads versions`(text: String, version: ServerVersion) {
    #expect(ServerVersion(text) == version)
  }

  @Test func `ignores an unreadable version`() {
    #expect(ServerVersion("nightly") == nil)
    #expect(ServerVersion("") == nil)
    #expect(ServerVersion(0, 9, 9) < ServerVersion(0, 16))
  }

  private func parse(_ text: String, _ type: String = "multipart/mixed; boundary=b1") throws
    -> MultipartBody
  {
    try MultipartBody(Array(text.utf8), contentType: type)
  }

  @Test func `reads parts with their headers and contents to the byte`() throws {
    let body = try parse(
      "preamble\r\n--b1\r\nA: 1\r\nb:2 : 3\r\n\r\n\r\n--b\r\nx\r\n\r\n--b1\r\n\r\n\r\n--b1--\r\n")
    #expect(body.isIntact)
    #expect(
      body.parts.map { String(decoding: $0.content, as: UTF8.self) } == ["\r\n--b\r\nx\r\n", ""])
    #expect(body.parts[0].headers["a"] == "1")
    #expect(body.parts[0].headers["B"] == "2 : 3")
    #expect(body.parts[1].headers.fields.isEmpty)
  }

  @Test func `reads an answer without parts`() throws {
    let body = try parse("--b1--")
    #expect(body.parts.isEmpty)
    #expect(body.isIntact)
  }

  @Test(arguments: [
    ("--b1\r\nA: 1\r\n\r\nx\r\n--b1--{\"status\":500}", 1), ("--b1\r\nA: 1\r\n\r\nx", 0),
    ("--b1\r\nA: 1\r\n\r\nx\r\n--b1\r\nA: 2", 1), ("--b1\r\nA: 1", 0), ("--b1", 0),
    ("--b1\r\nno end\r\n--b1--", 0),
  ])
  func `distinguishes a truncated response from a complete one`(text: String, parts: Int) throws {
    let body = try parse(text)
    #expect(!body.isIntact)
    #expect(body.parts.count == parts)
  }

  @Test(arguments: [
    ("--b1--", "multipart/mixed"), ("--b1--", "multipart/mixed; boundary="),
    ("nothing", "multipart/mixed; boundary=b1"), ("", "multipart/mixed; boundary=b1"),
    (
      "--b1--",
      "multipart/mixed; boundary=\"01234567890123456789012345678901234567890123456789012345678901234567890\""
    ),
  ])
  func `refuses what is no multipart body`(text: String, type: String) {
    let error = #expect(throws: AdapterError.self) { try parse(text, type) }
    #expect(error?.code == .malformed)
  }

  @Test func `bounds the header of a part`() throws {
    let long = String(repeating: "x", count: MultipartBody.headerLimit)
    let body = try parse("--b1\r\nA: \(long)\r\n\r\nx\r\n--b1--")
    #expect(body.parts.isEmpty)
    #expect(!body.isIntact)
  }

  @Test func `survives every way of cutting and damaging an answer`() throws {
    let whole = Array("--b1\r\nA: 1\r\n\r\nx\r\n--b1\r\n\r\ny\r\n--b1--\r\n".utf8)
    for length in 4...whole.count {
      let body = try MultipartBody(
        Array(whole.prefix(length)), contentType: "multipart/mixed; boundary=b1")
      #expect(body.isIntact == (length >= whole.count - 2), "\(length)")
    }
    for index in 4..<whole.count {
      var damaged = whole
      damaged[index] = 0x2D
      let body = try MultipartBody(damaged, contentType: "multipart/mixed; boundary=b1")
      #expect(body.parts.count <= 2)
    }
  }

  @Test func `reads a large answer in a moment`() throws {
    let page = Array(String(repeating: "<p>\r\nsome text\r\n--no boundary</p>", count: 30_000).utf8)
    var bytes: [UInt8] = []
    for _ in 1...20 { bytes += Array("--b1\r\nType: html\r\n\r\n".utf8) + page + [0x0D, 0x0A] }
    bytes += Array("--b1--".utf8)
    let time = try processorTime {
      let body = try MultipartBody(bytes, contentType: "multipart/mixed; boundary=b1")
      #expect(body.parts.count == 20)
    }
    #expect(time < .seconds(3))
  }

  @Test func `replaces bytes wherever they stand`() {
    let bytes = Array("aXbXXc".utf8)
    #expect(bytes.replacing("X", with: "--") == Array("a--b----c".utf8))
    #expect(bytes.replacing("Y", with: "-") == bytes)
    #expect(bytes.replacing("aXbXXc", with: "") == [])
    #expect([UInt8]().replacing("X", with: "-") == [])
    #expect(bytes.firstIndex(of: "Xc") == 4)
    #expect(bytes.firstIndex(of: "c", from: 6) == nil)
    #expect(bytes.firstIndex(of: "c", from: 7) == nil)
  }
}
