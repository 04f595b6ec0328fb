import ArchiverCore
import ArchiverMarkup
import Testing

/// Measures; run with ARCHIVER_BENCH=1 in a release build.
@Test(
  .enabled(if: ProcessInfo.processInfo.environment["ARCHIVER_BENCH"] != nil, "set ARCHIVER_BENCH"))
func `sanitises and extracts at the speed planned for`() throws {
  let article = Article.html(megabytes: 4)
  let sanitizer = HTMLSanitizer()
  var clean = try sanitizer.sanitize(article, baseURL: page)
  var best = Duration.seconds(100)
  var bestSanitize = Duration.seconds(100)
  var bestExtract = Duration.seconds(100)
  for _ in 0..<5 {
    let sanitize = try processorTime {
      clean = try sanitizer.sanitize(article, baseURL: page)
    }
    var references = ImageReferences(slots: [])
    let extract = processorTime {
      references = ImageExtractor.references(in: clean.bytes)
    }
    let rewrite = processorTime {
      let bytes = ImageRewriter.rewrite(clean.bytes, slots: references.slots) {
        .local(path: "assets/\($0).jpg", width: 640, height: 480)
      }
      #expect(!bytes.isEmpty)
    }
    bestSanitize = min(bestSanitize, sanitize)
    bestExtract = min(bestExtract, extract)
    best = min(best, sanitize + extract + rewrite)
  }
  let plain = Array("<p>".utf8) + Article.words(20_000_000) + Array("</p>".utf8)
  let scan = processorTime {
    #expect(ImageExtractor.references(in: plain).slots.isEmpty)
  }
  print("all \(Article.speed(article.count, best)) MB/s")
  print("sanitise \(Article.speed(article.count, bestSanitize)) MB/s")
  print("extract \(Article.speed(clean.bytes.count, bestExtract)) MB/s with images")
  print("extract \(Article.speed(plain.count, scan)) MB/s of text")
  #expect(Article.speed(article.count, best) >= 25)
  #expect(Article.speed(plain.count, scan) >= 1_000)
}

/// A page such as the archive sees: paragraphs, links, lists, a table, and an image now and then.
private enum Article {
  static func html(megabytes: Int) -> [UInt8] {
    var html = "<article>"
    var number = 0
    while html.utf8.count < megabytes * 1_000_000 {
      number += 1
      html += "<h2 id=\"s\(number)\">Section \(number) &amp; more</h2>\n"
      for part in 0..<4 {
        html += "<p class=\"x\">"
        html += String(decoding: words(700), as: UTF8.self)
        html += " <a href=\"https://example.org/page/\(number)?p=\(part)\">a link</a> and "
        html += "<em>some emphasis</em>, “quoted” — with <code>code &lt;T&gt;</code>.</p>\n"
      }
      html += "<figure><img src=\"/img/\(number).jpg\" "
      html +=
        "srcset=\"/img/\(number)-640.jpg 640w, /img/\(number)-1280.jpg 1280w\" alt=\"A picture\">"
      html += "<figcaption>Caption \(number)</figcaption></figure>\n<ul>"
      for item in 0..<5 { html += "<li>Item \(item) of the list with a few words in it</li>\n" }
      html += "</ul>\n<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>\n"
    }
    return Array(html.utf8)
  }

  static func words(_ count: Int) -> [UInt8] {
    let sentence = Array(
      "The archive of the web keeps every word of this sentence, and nobody minds. ".utf8)
    return (0..<count).map { sentence[$0 % sentence.count] }
  }

  static func speed(_ bytes: Int, _ time: Duration) -> Int {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    return Int(Double(bytes) / 1e6 / seconds)
  }
}
