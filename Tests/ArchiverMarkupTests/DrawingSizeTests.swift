import ArchiverCore
import ArchiverMarkup
import Testing

/// Which SVG images are content and which are icons or hidden.
struct DrawingSizeTests {
  @Test(arguments: [
    ("width=64 height=64", true), ("width=63 height=64", false), ("width=64 height=63", false),
    ("width=64", true), ("height=63", false), ("width=64px height=64.5", true),
    ("width=64em height=64", false), ("width=90 height=9ex", false),
  ])
  func `a drawing of 64 pixels a side is content, a smaller one an icon`(
    size: String, isContent: Bool
  ) throws {
    let kept = try canonical("<p>a <svg \(size)><path d='M0 0'/></svg> b</p>")
    #expect(kept.contains("<img") == isContent, "\(kept)")
  }

  @Test(arguments: [
    ("0 0 64 65", true), ("0 0 65 64", true), ("0 0 64 64", false), ("0 0 63 400", false),
    ("0 0 400 63", false), ("0,0,400,200", true), ("0 0 400", false), ("0 0 400 200 1", false),
    ("", false),
  ])
  func `a drawing without a size is content if its view box is large and no square`(
    box: String, isContent: Bool
  ) throws {
    let kept = try canonical("<p>a <svg viewBox='\(box)'><text>Words</text></svg> b</p>")
    #expect(kept.contains("<img") == isContent, "\(kept)")
    #expect(kept.contains("Words"))
  }

  @Test(arguments: [
    ("hidden", true), ("display=none", true), ("display=block", false),
    ("visibility=hidden", true), ("aria-hidden=true", true), ("aria-hidden=false", false),
    ("style='display:none'", true), ("style='color:red; Display : none !important'", true),
    ("style='visibility:hidden'", true), ("style='display:none-x'", false),
    ("style='width:0;height:0px'", true), ("style='width:0'", false), ("style='height:0'", false),
    ("style='width:0px;height:1px'", false),
  ])
  func `a drawing that its page hides is no content`(attribute: String, isHidden: Bool) throws {
    let kept = try canonical(
      "<p>a <svg width=600 height=400 \(attribute)><path d='M0 0'/></svg> b</p>")
    #expect(kept.contains("<img") == !isHidden, "\(kept)")
  }

  @Test(arguments: [
    ("<title>Sales</title><path d='M0 0'/>", "", "Sales"),
    ("<title> The\n sales </title><path d='M0 0'/>", "aria-label='By  year'", "By year"),
    ("<g><title>Bar</title></g><path d='M0 0'/>", "", "SVG"),
    ("<text>One</text><text>Two</text>", "", "One Two"),
    ("<g><text>One<tspan> more</tspan></text></g>", "aria-label=' '", "One more"),
  ])
  func `a drawing is named by its label, its title or its text`(
    content: String, attribute: String, name: String
  ) throws {
    let kept = try canonical("<svg width=600 height=400 \(attribute)>\(content)</svg>")
    #expect(kept.contains("alt=\"\(name)\""), "\(kept)")
  }
}

/// Which images are there to be counted, not seen.
struct TrackingImageTests {
  @Test(arguments: [
    ("width=1 height=1", false), ("width=0 height=0", false), ("width=1 height=0", false),
    ("height=1", true), ("width=1", true), ("", true), ("width=2 height=1", true),
    ("width=1 height=2", true), ("width=1 height=1 style='width:100%'", true),
  ])
  func `an image of a pixel that has no image's name is left out`(
    size: String, isKept: Bool
  ) throws {
    let kept = try canonical("<p>a <img src='https://a.example/t?id=1' \(size)> b</p>")
    #expect(kept.contains("<img") == isKept, "\(kept)")
    let named = try canonical("<p>a <img src='https://a.example/t.png' \(size)> b</p>")
    #expect(named.contains("<img"), "its pixels are judged: \(named)")
  }
}
