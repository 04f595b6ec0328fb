import Testing

@testable import ArchiverCore

@Suite struct LanguageTagTests {
  @Test(arguments: [
    ("jp", "ja"), ("JP", "ja"), ("jp-JP", "ja-JP"), ("cn", "zh"), ("gr", "el"), ("cz", "cs"),
    ("dk", "da"), ("ua", "uk"), ("vn", "vi"), ("us", "en"), ("gb", "en"), ("eng", "en"),
    ("eng-GB", "en-GB"), ("deu", "de"), ("zh_CN", "zh-CN"), (" en ", "en"), ("German", "de"),
  ])
  func `a code that is no language tag becomes one`(text: String, tag: String) {
    #expect(LanguageTag.tag(text) == tag)
    #expect(LanguageTag.corrected(text) == tag)
  }

  @Test(arguments: [
    "ja", "zh-Hant-TW", "uk", "br", "kr", "se", "tw", "ch", "si", "ee", "gsw", "yue",
  ])
  func `a code of a language stays`(tag: String) {
    #expect(LanguageTag.tag(tag) == tag)
  }

  @Test(arguments: ["", "und", "x", "Klingon", "-"])
  func `an unknown language has no tag, and stays as it is`(text: String) {
    #expect(LanguageTag.tag(text) == nil)
    #expect(LanguageTag.corrected(text) == text)
  }

  @Test(arguments: [
    ("ar", true), ("ara", true), ("AR-EG", true), ("az-Arab", true), ("az_Arab_IR", true),
    ("pa-Arab-PK", true),
    ("il", true), ("yi", true), ("ff-Adlm", true), ("ur-Latn", false), ("sd-Deva", false),
    ("az", false),
    ("de-1996", false), ("sr-Latn-RS", false), ("", false), ("x", false), ("en-arab", true),
  ])
  func `the script of a tag, or else of its language, gives the direction`(
    tag: String, isRightToLeft: Bool
  ) {
    #expect(LanguageTag.isRightToLeft(tag) == isRightToLeft)
  }
}
