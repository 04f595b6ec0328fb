import Testing

@testable import ArchiverMarkup

/// Which of the page's colours an author's colour becomes.
@Suite struct AuthorColorBoundaryTests {
  private static func name(_ color: String, _ use: AuthorColor.Use = .text) -> String? {
    AuthorColor(color, for: use)?.rawValue
  }

  @Test(arguments: [
    ("hsl(0,100%,50%)", "red"), ("hsl(19,100%,50%)", "red"), ("hsl(20,100%,50%)", "yellow"),
    ("hsl(69,100%,50%)", "yellow"), ("hsl(70,100%,50%)", "green"), ("hsl(164,100%,50%)", "green"),
    ("hsl(165,100%,50%)", "blue"), ("hsl(299,100%,50%)", "blue"), ("hsl(300,100%,50%)", "red"),
    // A hue is an angle of a circle.
    ("hsl(-60,100%,50%)", "red"), ("hsl(-61,100%,50%)", "blue"), ("hsl(380,100%,50%)", "yellow"),
    ("hsl(379,100%,50%)", "red"), ("hsl(99999,100%,50%)", "blue"),
    ("rgb(255,0,0)", "red"), ("rgb(255,84,0)", "red"), ("rgb(255,85,0)", "yellow"),
    ("rgb(255,0,128)", "red"), ("rgb(218,255,0)", "yellow"), ("rgb(213,255,0)", "green"),
    ("rgb(0,255,191)", "green"), ("rgb(0,255,192)", "blue"), ("rgb(0,0,255)", "blue"),
    ("rgb(254,0,255)", "blue"), ("rgb(255,0,255)", "red"),
    ("rgb(999,-5,0)", "red"), ("rgb(100% 0% 0%)", "red"), ("rgb(0%,40%,0%)", "green"),
    ("#f00", "red"), ("#0F0", "green"), ("00f", "blue"), ("#ff0", "yellow"), ("#00ff00", "green"),
    ("#0000ff", "blue"), ("#aa1100", "red"), ("Rebeccapurple", "blue"), ("tomato", "red"),
  ])
  func `a colour becomes the one that is nearest by its hue`(color: String, expected: String) {
    #expect(Self.name(color) == expected)
  }

  @Test(
    arguments: [
      ("rgb(80,0,0)", "rgb(79,0,0)", .text), ("rgb(0,80,0)", "rgb(0,79,0)", .text),
      ("rgb(255,231,231)", "rgb(255,232,232)", .background),
      ("rgb(9,9,33)", "rgb(9,9,32)", .background),
      ("hsl(0,32%,50%)", "hsl(0,31%,50%)", .text), ("hsl(0,10%,50%)", "hsl(0,9%,50%)", .background),
      // Light and dark alike are near to grey.
      ("hsl(0,100%,84%)", "hsl(0,100%,85%)", .text), ("hsl(0,100%,16%)", "hsl(0,100%,15%)", .text),
      ("hsl(0,200%,84%)", "hsl(0,200%,85%)", .text),
    ] as [(String, String, AuthorColor.Use)])
  func `a colour differs enough from grey for its use, or is none`(
    color: String, grey: String, use: AuthorColor.Use
  ) {
    #expect(Self.name(color, use) != nil)
    #expect(Self.name(grey, use) == nil)
  }

  @Test(arguments: [
    ("rgba(255,0,0,0.11)", "rgba(255,0,0,0.1)"), ("rgb(255 0 0 / 11%)", "rgb(255 0 0 / 10%)"),
    ("hsla(0,100%,50%,0.11)", "hsla(0,100%,50%,0.1)"),
    ("hsl(0 100% 50% / 11%)", "hsl(0 100% 50% / 10%)"), ("#f002", "#f001"),
    ("#ff000020", "#ff00001f"),
  ])
  func `a colour of a tenth's opacity or less is none`(color: String, transparent: String) {
    #expect(Self.name(color) == "red")
    #expect(Self.name(transparent) == nil)
  }

  @Test(arguments: [
    "", "#", "#f", "#ff", "#ff000", "#ff00000", "#ff0000000", "#gg0000", "#f0g", "rgb(255,0)",
    "rgb()", "rgb(", "rgb)255,0,0(", "hsl(0,100%)", "hsl(100000,100%,50%)", "hsl(x,100%,50%)",
    "none", "grey", "hsl(0,100%,-1%)", "hsl(0,100%,101%)", "hsl(0,-1%,50%)",
  ])
  func `what is no colour is none`(color: String) {
    #expect(Self.name(color) == nil)
  }
}
