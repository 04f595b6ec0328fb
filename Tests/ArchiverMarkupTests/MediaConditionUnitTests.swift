import Testing

@testable import ArchiverMarkup

/// Conditions of a source at the limit of their length, in each unit and without a value.
@Suite struct MediaConditionUnitTests {
  @Test func `a condition has at most 1,024 bytes`() {
    func isMet(_ size: Int) -> Bool {
      MediaCondition.isMet("all" + String(repeating: " ", count: size - 3))
    }
    #expect(isMet(1_024))
    #expect(!isMet(1_025))
  }

  @Test(
    arguments: [
      ("(width: 1280)", true), ("(width: 80rem)", true), ("(min-height: 50rem)", true),
      ("(min-height: 50.1rem)", false), ("(width: 160ch)", true), ("(width: 160ex)", true),
      ("(min-width: 33.8cm)", true), ("(min-width: 33.9cm)", false), ("(min-width: 338mm)", true),
      ("(min-width: 339mm)", false), ("(min-width: 13.3in)", true), ("(min-width: 13.4in)", false),
      ("(resolution: 2)", true), ("(resolution: 2x)", true), ("(resolution: 2dppx)", true),
      ("(min-resolution: 75dpcm)", true), ("(min-resolution: 76dpcm)", false),
      ("(min-width: -1px)", true), ("(min-width: px)", false),
    ] as [(String, Bool)])
  func `a size may have any unit`(media: String, isMet: Bool) {
    #expect(MediaCondition.isMet(media) == isMet)
  }

  @Test(
    arguments: [
      ("(device-width: 1280px)", true), ("(device-height: 800px)", true), ("(height: 800px)", true),
      ("(aspect-ratio: 1.6)", true), ("(device-aspect-ratio: 8/5)", true),
      ("(max-aspect-ratio: 1/0)", true), ("(min-aspect-ratio: 1/0)", false),
      ("(device-pixel-ratio: 2)", true), ("(grid: 0)", true), ("(grid: 1)", false),
      ("(monochrome: 1)", false), ("(color: 8)", true), ("(color: 16)", false),
      ("(-moz-device-pixel-ratio: 2)", true), ("(-webkit-hover: hover)", true), ("(-x: 2)", false),
    ] as [(String, Bool)])
  func `a feature has the value of the screen`(media: String, isMet: Bool) {
    #expect(MediaCondition.isMet(media) == isMet)
  }

  @Test(
    arguments: [
      ("(width)", true), ("(height)", true), ("(aspect-ratio)", true), ("(resolution)", true),
      ("(color)", true), ("(pointer)", true), ("(orientation)", true), ("(update)", true),
      ("(scripting)", false), ("(forced-colors)", false), ("(prefers-contrast)", false),
      ("(depth)", false), ("()", false), ("(width <)", false), ("(< width)", false),
    ] as [(String, Bool)])
  func `a feature without a value is met unless the screen has none of it`(
    media: String, isMet: Bool
  ) {
    #expect(MediaCondition.isMet(media) == isMet)
  }
}
