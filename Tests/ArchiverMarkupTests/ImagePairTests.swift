import Testing

@testable import ArchiverMarkup

/// Images that a page has twice, and the sources of one image.
@Suite struct ImagePairTests {
  private static func shown(_ html: String) throws -> String {
    try canonical(html).replacing("https://example.org/dir/", with: "/")
  }

  @Test(
    arguments: sides(
      of: #"""
        <noscript><img src=a.jpg></noscript><img src=a.jpg> => <img src="/a.jpg" alt="">
        <noscript><img src=a.jpg alt=A></noscript><img src=b.jpg alt=A> => <img src="/a.jpg" alt="A">
        <noscript><img src=a.jpg alt=A></noscript><img src=b.jpg alt=B> => <img src="/a.jpg" alt="A"><img src="/b.jpg" alt="B">
        <noscript><img src=a.jpg></noscript><img src=b.jpg> => <img src="/a.jpg" alt=""><img src="/b.jpg" alt="">
        <img src=a.jpg><noscript><img src=a.jpg></noscript> => <img src="/a.jpg" alt="">
        <img src=a.jpg><noscript><img src=b.jpg></noscript> => <img src="/a.jpg" alt=""><img src="/b.jpg" alt="">
        <img src=a.jpg><noscript></noscript><img src=a.jpg> => <img src="/a.jpg" alt=""><img src="/a.jpg" alt="">
        <noscript></noscript><img src=a.jpg><noscript><img src=a.jpg></noscript> => <img src="/a.jpg" alt="">
        <img src=a.png><picture><source srcset=a.png></picture> => <img src="/a.png" alt=""><img srcset="/a.png 1.0x" alt="">
        <img src=o.png><object data=o.png></object> => <img src="/o.png" alt=""><img src="/o.png" alt="">
        """#))
  func `an image is written once for scripts and for readers without`(
    html: String, expected: String
  ) throws {
    #expect(try Self.shown(html) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        <img data-src=l.jpg>%<img src=r.jpg srcset='r2.jpg 2x'></noscript> => <img src="/r.jpg" srcset="/r2.jpg 2.0x" data-src="/l.jpg" alt="">
        <img data-srcset='l.jpg 3x'>%<img src=r.jpg srcset='r2.jpg 2x'></noscript> => <img src="/r.jpg" srcset="/l.jpg 3.0x" alt="">
        <img data-src=l.jpg alt=A>%<img src=r.jpg alt=B></noscript> => <img src="/r.jpg" data-src="/l.jpg" alt="A">
        <img data-src=l.jpg alt=''>%<img src=r.jpg alt=B></noscript> => <img src="/r.jpg" data-src="/l.jpg" alt="B">
        <img data-src=l.jpg width=9>%<img src=r.jpg width=8 height=7></noscript> => <img src="/r.jpg" data-src="/l.jpg" alt="" width="9" height="7">
        <img src=placeholder.png>%<img srcset='r.jpg 2x'></noscript> => <img srcset="/r.jpg 2.0x" alt="">
        <img src=s.jpg alt=A>%<img src=r.jpg alt=A></noscript> => <img src="/s.jpg" data-src="/r.jpg" alt="A">
        """#))
  func `an image for scripts gets what it lacks from the one for readers without`(
    html: String, expected: String
  ) throws {
    #expect(try Self.shown(html.replacing("%", with: "<noscript>")) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        <source srcset=a.png><img src=blank.gif srcset='b.png 1x, c.png 2x'> => <img src="/b.png" srcset="/a.png 1.0x" alt="">
        <source srcset=a.png><source srcset=b.png><source srcset=c.png><img alt=A> => <img src="/b.png" srcset="/a.png 1.0x" alt="A">
        <source srcset=a.png><source srcset=b.png><source srcset=c.png> => <img src="/b.png" srcset="/a.png 1.0x" alt="">
        <source srcset=a.avif type=image/avif><source srcset=b.webp><source srcset=c.png> => <img src="/c.png" srcset="/b.webp 1.0x, /a.avif 1.0x" alt="">
        <source srcset=a.avif type=' image/AVIF ;q=1'><source srcset=b.webp> => <img srcset="/b.webp 1.0x, /a.avif 1.0x" alt="">
        <source srcset=a.avif type=image/avif><source srcset=b.avif type=image/avif> => <img src="/b.avif" srcset="/a.avif 1.0x" alt="">
        <source srcset=a.heic type=image/heic><source srcset=b.png> => <img srcset="/b.png 1.0x" alt="">
        <source media=print srcset=m.png><img data-src=l.png> => <img data-src="/l.png" alt="">
        <source media=print srcset=m.png><img srcset='s.png 2x'> => <img srcset="/s.png 2.0x" alt="">
        <source media=print srcset=m.png><img src=blank.gif> => <img srcset="/m.png 1.0x" alt="">
        <source media=print srcset=m.png><img src=s.png> => <img src="/s.png" alt="">
        """#))
  func `an image has the sources that the page chooses for a wide screen`(
    content: String, expected: String
  ) throws {
    #expect(try Self.shown("<picture>\(content)</picture>") == expected)
  }

  @Test func `an image has at most 64 addresses of a set`() throws {
    func set(_ name: String) -> String {
      (0..<40).map { "\(name)\($0).png" }.joined(separator: ", ")
    }
    let html: [String] = [
      "<img data-srcset='\(set("a"))' srcset='\(set("b"))'>",
      "<picture><source media=print srcset='\(set("a"))'>"
        + "<source media=print srcset='\(set("b"))'></picture>",
      "<picture><source type=image/avif srcset='\(set("b"))'><source srcset='\(set("a"))'></picture>",
    ]
    for page in html {
      let shown = try Self.shown(page)
      #expect(shown.ranges(of: ".png 1.0x").count == 64, "\(shown)")
      #expect(shown.contains("/a39.png") && shown.contains("/b23.png"), "\(shown)")
      #expect(!shown.contains("/b24.png"), "\(shown)")
    }
  }

  @Test(
    arguments: sides(
      of: #"""
        <video><param><source src=v.mp4></video> => <video src="/v.mp4" controls=""></video>
        <video> <source src=v.mp4> </video> => <video src="/v.mp4" controls=""></video>
        <video src=v.mp4><img src=a.png></video> => <video src="/v.mp4" controls=""></video>
        <video><img src=a.png></video> => <img src="/a.png" alt="">
        <video><x-y id=k>a</x-y></video> => <span id="c-k"></span>a
        <object data=o.png>a<param><b>b</b></object> => <img src="/o.png" alt="ab">
        <object data=o.png title=T>a</object> => <img src="/o.png" alt="T">
        """#))
  func `content inside a player or an image is shown only without it`(
    html: String, expected: String
  ) throws {
    #expect(try Self.shown(html) == expected)
  }

  @Test(
    arguments: sides(
      of: #"""
        <img src=a.png> => <img src="/a.png" alt="">
        <img class=c src=a.png> => <img src="/a.png" alt="">
        <img class=mwe-math-fallback-image-inline src=a.png> =>
         a <img class=mwe-math-fallback-image-inline src=a.png> =>  a <img src="/a.png" alt="">
        """#))
  func `only the rendering of a formula is left out behind it`(
    html: String, expected: String
  ) throws {
    let math = "<math><mi>x</mi></math>"
    #expect(try Self.shown(math + html) == math + expected)
  }
}
