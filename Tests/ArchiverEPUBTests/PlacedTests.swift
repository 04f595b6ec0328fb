import Testing

@testable import ArchiverEPUB

/// Pages whose content is placed absolutely, as of covers, title pages and scans with a text layer.
@Suite struct PlacedTests {
  private static let rule = ".c { position: absolute; top: 0 }"

  private static func page(_ body: String, head: String = "", sheet: String = "") throws -> String {
    let link = "<link rel=\"stylesheet\" href=\"s.css\"/>"
    let sink = MemorySink()
    let builder = BookBuilder(
      pages: [("a.xhtml", BookBuilder.page(body, head: link + head))],
      files: [("s.css", "text/css", Array(sheet.utf8))])
    _ = try builder.withFile { try EPUBConverter().convert(path: $0, to: sink) }
    return sink.text("text/0001.html")
  }

  @Test(arguments: [
    ("<p class=\"c\">x</p>", "", rule), ("<p class=\"c\">x</p>", "<style>\(rule)</style>", ""),
    ("<p style=\"position:absolute\">x</p>", "", ""),
  ])
  func `a page with placed parts has the height of the window`(
    body: String, head: String, sheet: String
  ) throws {
    let page = try Self.page(body, head: head, sheet: sheet)
    #expect(page.contains("<div class=\"flow placed\"><article"), "\(page)")
  }

  @Test func `any other page has the height of its content`() throws {
    let page = try Self.page("<p style=\"position:relative\">x</p>", sheet: "p { margin: 0 }")
    #expect(page.contains("<div class=\"flow\"><article"), "\(page)")
  }

  @Test func `a vertical page stays vertical`() throws {
    let page = try Self.page(
      "<p class=\"c\">x</p>", sheet: Self.rule + "html { writing-mode: vertical-rl }")
    #expect(page.contains("<div class=\"vertical\" tabindex=\"0\"><article"), "\(page)")
  }
}
