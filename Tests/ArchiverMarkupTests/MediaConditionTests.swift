import Testing

@testable import ArchiverMarkup

/// The screen is 1,280 pixels wide, 800 high and has two dots a pixel.
struct MediaConditionTests {
  @Test(arguments: [
    ("(width > 400px)", true), ("(width > 1280px)", false), ("(width >= 1280px)", true),
    ("(width < 1280px)", false), ("(width <= 1280px)", true), ("(width = 1280px)", true),
    ("(width = 1281px)", false), ("(400px < width)", true), ("(1280px <= width)", true),
    ("(1280px < width)", false), ("(1280px > width)", false), ("(1280px >= width)", true),
    ("(400px <= width <= 1280px)", true), ("(400px < width < 1280px)", false),
    ("(1280px < width < 2000px)", false), ("(2000px > width > 400px)", true),
    ("(400px < depth)", false), ("(width < x)", false), ("(width < 1 < 2 < 3)", false),
  ])
  func `a range is met as its signs say, from either side`(media: String, isMet: Bool) {
    #expect(MediaCondition.isMet(media) == isMet)
  }

  @Test(arguments: [
    ("(min-width: 1280px)", true), ("(min-width: 1281px)", false), ("(max-width: 1280px)", true),
    ("(max-width: 1279px)", false), ("(width: 1280px)", true), ("(width: 80em)", true),
    ("(min-width: 80.1em)", false), ("(max-height: 50rem)", true), ("(min-height: 801px)", false),
    ("(width: 100vw)", true), ("(height: 100vh)", true), ("(min-width: 14in)", false),
    ("(max-width: 13.4in)", true), ("(width: 960pt)", true), ("(width: 80pc)", true),
    ("(aspect-ratio: 16/10)", true), ("(min-aspect-ratio: 16 / 9)", false),
    ("(max-aspect-ratio: 16/9)", true), ("(min-resolution: 2dppx)", true),
    ("(min-resolution: 2.1x)", false), ("(resolution: 192dpi)", true),
    ("(-webkit-min-device-pixel-ratio: 2)", true), ("(-webkit-min-device-pixel-ratio: 3)", false),
    ("(min-width: 1q)", false), ("(min-depth: 1px)", false), ("(color)", true),
    ("(monochrome: 0)", true), ("(min-color: 8)", true), ("(min-color: 9)", false),
  ])
  func `a feature of a size is met in any unit`(media: String, isMet: Bool) {
    #expect(MediaCondition.isMet(media) == isMet)
  }

  @Test(arguments: [
    ("", true), ("  ", true), ("all", true), ("screen", true), ("SCREEN", true), ("print", false),
    ("not print", true), ("not all", false), ("only screen", true), ("screen, print", true),
    ("print, (color)", true), ("print, speech", false), ("screen and (color)", true),
    ("screen (color)", false), ("print and (color)", false), ("not screen and (width: 1px)", true),
    ("not (width: 1px)", true), ("not (color)", false), ("(color) and (width: 1px)", false),
    ("(color) or (width: 1px)", true), ("(width: 1px) or (color)", true),
    ("(color) and (not (width: 1px))", true),
    ("((color) or (width: 1px)) and (height: 1px)", false),
    ("(color) xor (color)", false), ("(color", false), ("(orientation: landscape)", true),
    ("(orientation: portrait)", false), ("(hover)", true), ("(prefers-reduced-motion)", false),
    ("(prefers-color-scheme: dark)", false), ("(unknown)", false), ("(unknown: 1)", false),
  ])
  func `types and conditions are joined as they say`(media: String, isMet: Bool) {
    #expect(MediaCondition.isMet(media) == isMet)
  }
}
