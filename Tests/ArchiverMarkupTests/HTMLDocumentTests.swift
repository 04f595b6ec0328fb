import Testing

@testable import ArchiverMarkup

/// Documents and fragments, and how their lines end.
@Suite struct HTMLDocumentTests {
  @Test(arguments: [
    "<html>", "<HTML lang=x>", "<html", "<html/>", "<!DOCTYPE html>", "<!doctype>", "<!DOCTYPE\n",
    "<head>", "<Body>", "<body\nid=a>", "<frameset>", " \n\t\u{C}\r<html>", "<!-- a --><html>",
    "<!----><html>", "<!--a--> <!--b-->\n<html>", "<?xml version='1.0'?><html>", "<?x?> <body>",
    "<?x?><!--a--><?y?><head>", "<!-- <p> --><html>", "<!--a-- --><html>",
    "<!--><html>", "<!---><html>",
  ])
  func `a text whose first tag is only in documents is a document`(text: String) {
    #expect(HTMLParser.isDocument(Array(text.utf8)))
  }

  @Test(arguments: [
    "", " ", "<", "<p>", "x<html>", "<bodyx>", "<html5>", "<htm>", "< html>", "</html>",
    "<blockquote>", "<framesets>", "<!doctypes>", "<title>", "&lt;html>", "<!--<html>", "<!--",
    "<!-- <html> --><p>", "<!-- a -->x<html>", "<?xml", "<?xml?>", "<?xml?><p>", "<!-->", "<!html>",
    "<p><html>", ">html>", "!doctype", "body",
  ])
  func `any other text is the content of a body`(text: String) {
    #expect(!HTMLParser.isDocument(Array(text.utf8)))
  }

  @Test(arguments: [
    ("", ""), ("ab", "ab"), ("a\r\nb", "a\nb"), ("\ra", "\na"), ("\r\na", "\na"), ("a\r", "a\n"),
    ("a\r\n", "a\n"), ("a\r\rb", "a\n\nb"), ("\r\n\r\n", "\n\n"), ("a\n\rb", "a\n\nb"),
    ("a\n\nb", "a\n\nb"), ("a\rbc\r\nde", "a\nbc\nde"),
  ])
  func `every line ends with a line feed`(text: String, lines: String) {
    #expect(HTMLParser.withLineFeeds(Array(text.utf8)) == Array(lines.utf8))
  }

  private static func fragment(
    _ html: String, _ name: String, _ namespace: HTMLNamespace = .html
  ) throws -> String {
    let context = HTMLParser.Context(name: name, namespace: namespace)
    let tree = try HTMLParser.tree(of: Array(html.utf8), in: context)
    return text(HTMLTreeText.lines(tree, below: tree[HTMLTree.document].lastChild))
  }

  @Test func `the content of an element is read as in the element`() throws {
    let html = "<b>&amp;"
    for name in ["title", "textarea", "TITLE"] {
      #expect(try Self.fragment(html, name) == "| \"<b>&\"\n")
    }
    for name in ["style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext"] {
      #expect(try Self.fragment(html, name) == "| \"<b>&amp;\"\n")
    }
    for name in ["div", "noscript", "pre", "body", "other"] {
      #expect(try Self.fragment(html, name) == "| <b>\n|   \"&\"\n")
    }
    #expect(
      try Self.fragment("<!--<script></script>a", "script") == "| \"<!--<script></script>a\"\n")
  }

  @Test func `the content of a template, form or cell follows its rules`() throws {
    #expect(try Self.fragment("<td>x", "template") == "| <td>\n|   \"x\"\n")
    #expect(try Self.fragment("<form>x", "form") == "| \"x\"\n")
    #expect(try Self.fragment("<form>x", "div") == "| <form>\n|   \"x\"\n")
    #expect(try Self.fragment("<td>x", "td") == "| \"x\"\n")
    #expect(try Self.fragment("<td>x", "tr") == "| <td>\n|   \"x\"\n")
    #expect(try Self.fragment("<tr><td>x", "table").hasPrefix("| <tbody>\n|   <tr>\n"))
  }

  @Test(arguments: ["foreignObject", "desc", "title"])
  func `an element of SVG that may contain HTML has HTML as its content`(name: String) throws {
    #expect(try Self.fragment("<a>x", name, .svg) == "| <a>\n|   \"x\"\n")
    #expect(try Self.fragment("<a>&amp;", name, .mathML) == "| <math a>\n|   \"&\"\n")
  }

  @Test func `any other element of SVG has SVG as its content`() throws {
    for name in ["g", "svg", "textarea", "style"] {
      #expect(try Self.fragment("<a>&lt;", name, .svg) == "| <svg a>\n|   \"<\"\n")
    }
    #expect(try Self.fragment("<a>x", "mi", .mathML) == "| <a>\n|   \"x\"\n")
    #expect(try Self.fragment("<a>x", "math", .mathML) == "| <math a>\n|   \"x\"\n")
  }

  @Test func `elements that are lost in the tree or beyond its depth are all counted`() throws {
    func lost(_ count: Int) throws -> (inTree: Int, all: Int) {
      let html = Array(String(repeating: "<div>", count: count).utf8)
      let inTree = try HTMLParser.tree(of: html).lostElements
      return (inTree, try HTMLParser.parse(html, into: HTMLEventLog()))
    }
    #expect(try lost(510).all == 0)
    let (inTree, all) = try lost(700)
    #expect(inTree > 0 && all > inTree)
  }

  @Test func `an empty tag of XML is empty only on request`() throws {
    let html = Array("<div/>x".utf8)
    func lines(_ tree: HTMLTree) -> String { text(HTMLTreeText.lines(tree)) }
    let usual = try lines(HTMLParser.tree(of: html))
    #expect(usual.hasSuffix("|     <div>\n|       \"x\"\n"))
    let closed = try lines(HTMLParser.tree(of: html, closesEmptyTags: true))
    #expect(closed.hasSuffix("|     <div>\n|     \"x\"\n"))
  }
}
