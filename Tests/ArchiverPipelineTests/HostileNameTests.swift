import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Testing

/// Untrusted names of files.
@Suite struct HostileNameTests {
  private static let names = [
    "<script>alert(1)</script>.pdf", "\"><img src=x onerror=alert(1)>.txt",
    "' onmouseover='alert(1)",
    "../../../../etc/passwd", "..\\..\\x.exe", "/etc/shadow", "a\u{0}b.pdf", "CON",
    "x\u{202E}fdp.exe",
    "javascript:alert(1)", "</a><b>", ".htaccess", "a/b/c", "&lt;b&gt;",
    String(repeating: "é", count: 300),
    "", ".", "..", "x.html", "x.svg", "x.js", "-rf", "~", "a\nb", "?x=1#y",
  ]

  @Test(arguments: names)
  func `a file's name is text on the page and no path on the disk`(name: String) async throws {
    let source = ScriptedSource()
    for (id, title) in [("plain", "plain.txt"), ("odd", name)] {
      var item = ScriptedSource.article(0, pictures: 0)
      item.id = id
      var file = Attachment(
        .file, .inline(Array("text of \(id)".utf8)), name: title, mediaType: "text/plain")
      file.caption = id == "odd" ? name : "plain.txt"
      item.attachments = [file]
      source.set(item)
    }
    try await Bench.with(source) { bench in
      let report = try await bench.run()
      #expect(report.archived == 2, "\(report.failed)")
      let plain = try bench.page("plain")
      let odd = try bench.page("odd")
      // As many elements and attributes as with an ordinary name.
      #expect(odd.count { $0 == "<" } == plain.count { $0 == "<" })
      #expect(odd.ranges(of: "=\"").count == plain.ranges(of: "=\"").count)
      let files = try bench.snapshot().keys.filter { $0.contains("/assets/") }
      for file in files {
        let last = file.split(separator: "/").last ?? ""
        #expect(
          last.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }, "\(file)")
        #expect(!file.hasSuffix(".html") && !file.hasSuffix(".svg"))
      }
      #expect(try await bench.verify().isEmpty)
    }
  }
}
