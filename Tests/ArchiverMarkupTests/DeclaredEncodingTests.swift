import ArchiverMarkup
import Testing

/// Pages that are not in UTF-8.
@Suite struct DeclaredEncodingTests {
  private static func page(_ head: String, _ body: [UInt8]) -> [UInt8] {
    Array("<html><head>\(head)</head><body><p>".utf8) + body + Array("</p></body></html>".utf8)
  }

  @Test(
    arguments: [
      ("<meta charset=iso-8859-1>", [0x93, 0x63, 0x61, 0x66, 0xE9, 0x94], "“café”"),
      ("<meta charset='windows-1251'>", [0xCF, 0xF0, 0xE8], "При"),
      (
        "<meta http-equiv=Content-Type content='text/html; charset=Shift_JIS'>",
        [0x93, 0xFA, 0x96, 0x7B], "日本"
      ),
      ("<meta charset=gb2312>", [0xD6, 0xD0, 0xCE, 0xC4], "中文"),
      ("<meta charset=iso-2022-jp>", [0x1B, 0x24, 0x42, 0x46, 0x7C, 0x1B, 0x28, 0x42], "日"),
      // What is UTF-8 is read as such, whatever it declares.
      ("<meta charset=iso-8859-1>", [0xC3, 0xA9], "é"),
      ("<meta charset=utf-8>", [0x61, 0xE9, 0x62], "a\u{FFFD}b"),
      ("<meta charset=no-such-thing>", [0x61, 0xE9, 0x62], "a\u{FFFD}b"),
      ("", [0x61, 0xE9, 0x62], "a\u{FFFD}b"),
    ] as [(String, [UInt8], String)])
  func `a page that is not in UTF-8 is read as it declares`(
    _ head: String, _ body: [UInt8], _ words: String
  ) throws {
    let page = DeclaredEncodingTests.page(head, body)
    #expect(try HTMLSanitizer().sanitize(page, baseURL: nil).plainText == words)
  }

  @Test func `a byte order mark takes precedence over a declaration`() throws {
    let units = Array("<meta charset=iso-8859-1><p>čaj</p>".utf16)
    var bytes: [UInt8] = [0xFE, 0xFF]
    for unit in units { bytes += [UInt8(unit >> 8), UInt8(unit & 255)] }
    #expect(try HTMLSanitizer().sanitize(bytes, baseURL: nil).plainText == "čaj")
  }
}
