import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// How bytes become the text that parsers read.
@Suite struct InputBoundaryTests {
  private static func decoded(_ head: String, _ bytes: [UInt8]) -> String? {
    DeclaredEncoding.utf8(Array(head.utf8) + bytes).map { text($0) }
  }

  private static let declaration = "<meta charset=windows-1251>"

  @Test func `a declaration is in the first kilobyte`() {
    func decoded(_ further: Int) -> String? {
      // At zero the name of the encoding ends with the kilobyte; at 12 it begins there.
      let spaces = String(repeating: " ", count: 1_024 - Self.declaration.utf8.count + 1 + further)
      return Self.decoded(spaces + Self.declaration, [0xE9])
    }
    #expect(decoded(0)?.hasSuffix(">й") == true)
    #expect(decoded(12) == nil)
  }

  @Test(
    arguments: [
      (declaration + "<meta charset=windows-1252>", [0xE9], ">й"),
      ("<?xml version='1.0' encoding='Windows-1251'?>", [0xE9], ">й"),
      ("<meta charset='latin1'>", [0xE9], ">é"), ("<meta charset=\" koi8-r\">", [0xC1], ">а"),
      ("<meta charset=utf-8>", [0xE9], nil), ("<meta charset=UTF8>", [0xE9], nil),
      ("<meta charset=no-such-thing>", [0xE9], nil), ("<p>", [0xE9], nil), ("", [], nil),
      // Invalid bytes are replaced one by one.
      ("<meta charset=gb2312>", [0xD6, 0xD0, 0xFF, 0xCE, 0xC4], ">中\u{FFFD}文"),
      ("<meta charset=gbk>", [0xD6, 0xD0, 0xFF, 0xFF, 0xD6], ">中\u{FFFD}\u{FFFD}\u{FFFD}"),
    ] as [(String, [UInt8], String?)])
  func `the first declaration of a page tells its encoding`(
    head: String, bytes: [UInt8], expected: String?
  ) {
    let found = Self.decoded(head, bytes)
    #expect((found == nil) == (expected == nil))
    if let expected { #expect(found?.hasSuffix(expected) == true, "\(found ?? "")") }
  }

  @Test func `a long text is decoded piece by piece`() {
    let found = Self.decoded(Self.declaration, [UInt8](repeating: 0xE9, count: 30_000))
    #expect(found == Self.declaration + String(repeating: "й", count: 30_000))
  }

  @Test(
    arguments: [
      ([0xFF, 0xFE, 0x61, 0, 0x0D, 1], "ač"), ([0xFE, 0xFF, 0, 0x61, 1, 0x0D], "ač"),
      // Half a unit at the end is none.
      ([0xFF, 0xFE, 0x61, 0, 0x62], "a"), ([0xFE, 0xFF, 0, 0x61, 0], "a"), ([0xFF, 0xFE], ""),
    ] as [([UInt8], String)])
  func `a byte order mark of two bytes makes text of 16-bit units`(bytes: [UInt8], words: String) {
    #expect(DeclaredEncoding.utf8(bytes).map { text($0) } == words)
  }

  @Test(arguments: [
    ("<meta charset=iso-2022-jp>\u{1B}$B", true), ("<meta charset=iso-2022-jp>", false),
    ("<meta charset=utf-8>\u{1B}$B", false), ("\u{1B}$B", false),
  ])
  func `a page with shifts of a seven-bit encoding declares it`(page: String, isShifted: Bool) {
    #expect(DeclaredEncoding.isShifted(Array(page.utf8)) == isShifted)
  }

  @Test func `an input is as large as the limit or refused`() throws {
    var limits = SanitizerLimits()
    limits.inputBytes = 3
    #expect(try InputPreparation.prepare(Array("abc".utf8), limits: limits) == Array("abc".utf8))
    do throws(MarkupError) {
      _ = try InputPreparation.prepare(Array("abcd".utf8), limits: limits)
      Issue.record("it was accepted")
    } catch {
      #expect(error.code == .tooLarge)
      #expect(error.description.hasPrefix("the HTML has 4 bytes ("), "\(error)")
    }
  }

  @Test(
    arguments: [
      (Array("\u{FEFF}a\u{FEFF}\u{FEFF}b\u{FEFF}".utf8), Array("ab".utf8)),
      (Array("\u{FEFF}".utf8), []), ([], []), (Array("ab".utf8), Array("ab".utf8)),
      // What only begins like one is kept.
      (Array("！\u{FEFF}x".utf8), Array("！x".utf8)), ([0x61, 0xEF, 0xBB], [0x61, 0xEF, 0xBB]),
      ([0xEF], [0xEF]), ([0xEF, 0xBB, 0x61], [0xEF, 0xBB, 0x61]),
    ] as [([UInt8], [UInt8])])
  func `marks of the byte order are left out wherever they are`(
    bytes: [UInt8], expected: [UInt8]
  ) {
    #expect(InputPreparation.withoutByteOrderMarks(bytes) == expected)
  }

  @Test func `what is not UTF-8 is decoded or has its invalid bytes replaced`() {
    func repaired(_ bytes: [UInt8]) -> String { text(InputPreparation.repaired(bytes)) }
    #expect(repaired(Array("\u{FEFF}é".utf8)) == "é")
    #expect(repaired([0xEF, 0xBB, 0xBF, 0x61, 0xE9, 0x62]) == "a\u{FFFD}b")
    #expect(repaired([0xFF, 0xFE, 0xFF, 0xFE, 0x61, 0]) == "a")
    #expect(
      repaired(Array(Self.declaration.utf8) + [0xE9]) == Self.declaration + "й")
    #expect(repaired(Array(Self.declaration.utf8) + [0xC3, 0xA9]) == Self.declaration + "é")
  }

  @Test(
    arguments: [
      ([0xE9], ["щ", "й", "Θ", "Ú", "é"]), ([0xE1], ["с", "б", "ß", "á"]),
      (Array("é".utf8), []), ([0x61], []), ([], []),
    ] as [([UInt8], [String])])
  func `a name in an older encoding has each of its readings once`(
    bytes: [UInt8], readings: [String]
  ) {
    #expect(LegacyName.readings(bytes) == readings)
  }

  @Test func `a Japanese name is read as such first`() {
    #expect(LegacyName.readings([0x82, 0xA0]).first == "あ")
  }
}
