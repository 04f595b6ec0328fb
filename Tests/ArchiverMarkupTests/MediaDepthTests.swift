import Testing

@testable import ArchiverMarkup

@Suite struct MediaDepthTests {
  @Test(arguments: [("(", ")"), ("not (", ")"), ("-", "")])
  func `a condition nested too deeply is not met and affects nothing else`(
    open: String, close: String
  ) {
    for depth in [200, 300_000] {
      let media =
        "(" + String(repeating: open, count: depth) + "a:b" + String(repeating: close, count: depth)
        + ")"
      #expect(!MediaCondition.isMet(media) || depth == 200)
    }
    #expect(MediaCondition.isMet("(min-width: 600px)"))
  }
}
