import Testing

@testable import ArchiverMarkup

/// The channels of colours, each by itself.
@Suite struct AuthorColorChannelTests {
  private static func name(_ color: String, _ use: AuthorColor.Use = .text) -> String? {
    AuthorColor(color, for: use)?.rawValue
  }

  @Test(arguments: [
    "#300", "#030", "#003", "#300f", "#030f", "#003f", "#310000", "#003100", "#000031",
    "#4f0000", "#004f00", "#00004f", "#4f0000ff", "#00004fff",
  ])
  func `a dark channel alone is near to grey`(color: String) {
    #expect(Self.name(color) == nil)
  }

  @Test(arguments: [
    ("#500", "red"), ("#050", "green"), ("#005", "blue"), ("#500f", "red"), ("#050f", "green"),
    ("#005f", "blue"), ("#500000", "red"), ("#005000", "green"), ("#000050", "blue"),
    ("#550", "yellow"), ("#055", "blue"), ("#505", "red"),
  ])
  func `a brighter channel alone is a colour`(color: String, expected: String) {
    #expect(Self.name(color) == expected)
  }

  @Test(arguments: ["rgb(400,400,255)", "rgb(300 900 255)", "rgb(0,-100,0)", "rgb(-90,-1,-300)"])
  func `channels beyond their range count as its ends`(color: String) {
    #expect(Self.name(color, .background) == nil)
  }
}
