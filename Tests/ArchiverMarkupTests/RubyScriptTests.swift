import ArchiverMarkup
import Testing

/// Spaces beside annotations, which belong to the markup in scripts without spaces.
@Suite struct RubyScriptTests {
  private static func words(_ html: String) throws -> String {
    let result = try sanitized(html)
    #expect(try HTMLSanitizer().plainText(of: result.bytes) == result.plainText)
    return result.plainText
  }

  /// The first bytes are E3 to E9 and F0 in scripts without spaces, E2 and EA in others.
  @Test(
    arguments: [
      ("あ", true), ("食", true), ("𠀀", true), ("京x", true), ("one", false), ("가", false),
      ("…", false), ("é", false),
    ] as [(String, Bool)])
  func `a space in ruby stays unless both sides are in a script without spaces`(
    word: String, isDense: Bool
  ) throws {
    let space = isDense ? "" : " "
    #expect(
      try Self.words("<ruby>東<rt>a</rt> \(word)<rt>b</rt></ruby>") == "東\(space)\(word) a b")
    #expect(
      try Self.words("<ruby>one<rt>a</rt> \(word)<rt>b</rt></ruby>") == "one \(word) a b")
  }

  @Test(
    arguments: [
      ("あ", true), ("食", true), ("𠀀", true), ("x京", true), ("one", false), ("가", false),
    ] as [(String, Bool)])
  func `a space behind a word in ruby depends on the end of the word`(
    word: String, isDense: Bool
  ) throws {
    let space = isDense ? "" : " "
    #expect(
      try Self.words("<ruby>\(word)<rt>a</rt> 東<rt>b</rt></ruby>") == "\(word)\(space)東 a b")
  }

  @Test(
    arguments: [
      ("か", "食", "か食"), ("か", "one", "か one"), ("one", "か", "one か"), ("one", "two", "one two"),
    ] as [(String, String, String)])
  func `annotations of one ruby are joined in a script without spaces`(
    first: String, second: String, joined: String
  ) throws {
    #expect(
      try Self.words("<ruby>a<rt>\(first)</rt>b<rt>\(second)</rt></ruby>c") == "abc \(joined)")
    #expect(
      try Self.words("<ruby>a<rt>\(first)</rt></ruby><ruby>b<rt>\(second)</rt></ruby>c")
        == "abc \(first) \(second)")
  }

  @Test func `annotations are behind their line`() throws {
    #expect(
      try Self.words("<p><ruby>a<rt>b</rt></ruby> c<br>d <ruby>e<rt>f</rt></ruby></p><p>g</p>")
        == "a c b\nd e f\ng")
  }
}
