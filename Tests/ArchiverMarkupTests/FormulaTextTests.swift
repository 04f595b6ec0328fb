import ArchiverTestKit
import Testing

@testable import ArchiverMarkup

/// Formulas in running text.
@Suite struct FormulaTextTests {
  @Test(arguments: [
    #"a \(x^2\) b"#, #"a \(x\) b"#, #"a $$x^2$$ b"#, #"公式\(x\)と"#, #"a \[\frac12\] b"#,
    #"a $$a &lt; b$$ c"#,
    #"a \begin{align}x&amp;=1\end{align} b"#, #"a \(\text{some words here}\) b"#,
    #"a \(x<span>^2</span>\) b"#, #"<a href=/x>\(y\)</a>"#, #"a $$\ce{H2O}$$ b"#,
    "a $$&lt;x$$ b", #"a \(\alpha abc def ghi jkl mno pqr\) b"#,
    #"5 \( 6 \(x+y\) 7"#, #"$$ $$x^2$$"#, #"a \(\mathcal{O}(n \log n)\) b"#,
  ])
  func `a formula in the text is drawn`(words: String) throws {
    let result = try sanitized("<p>\(words)</p>")
    let shown = text(result.bytes)
    #expect(shown.ranges(of: "<math").count == 1, "\(shown)")
    #expect(!shown.contains(#"\("#) || words.hasPrefix("5"), "\(shown)")
    #expect(try canonical(shown) == canonical("<p>\(words)</p>"))
    #expect(try HTMLSanitizer().plainText(of: result.bytes) == result.plainText)
    #expect(result.losses.isEmpty)
  }

  @Test(arguments: [
    "it costs $$5 and $$6 more", "$$$$ for nothing", "echo $$; kill $$", #"\(foo|bar\)"#,
    #"the sign \( and the sign \)"#, "$$var_name = $$other", "a $$ b", #"\(\)"#, #"\d\(\w+\)"#,
    "C:\\[new folder\\]", "$$PATH and $$HOME", #"\[1\] and \[2"#, #"file\(s\)"#, #"\[x\] done"#,
    #"\begin{align} no end"#,
    "$$5 + $$6", #"a \(\alpha abc def ghi jkl mno pqr stu\) b"#,
  ])
  func `text that only looks like a formula is unchanged`(words: String) throws {
    let html = "<p>\(words)</p>"
    let shown = try canonical(html)
    #expect(shown == html)
    #expect(try sanitized(html).losses.isEmpty)
  }

  @Test(arguments: ["code", "pre", "kbd", "samp", "textarea", "tt"])
  func `code has no formulas`(name: String) throws {
    let shown = try canonical(#"<\#(name)>\(x^2\) $$y$$</\#(name)>"#)
    #expect(!shown.contains("<math") && shown.contains(#"\(x^2\) $$y$$"#))
  }

  @Test func `a formula in the text that cannot be read stays, marked, and counts`() throws {
    let html = #"<p>a \(\nothing{x}\) b</p>"#
    let result = try sanitized(html)
    #expect(text(result.bytes) == #"<p>a <code class="latex">\(\nothing{x}\)</code> b</p>"#)
    #expect(result.losses == ["formula": 1])
    #expect(try canonical(text(result.bytes)) == text(result.bytes))
  }

  @Test(arguments: [
    #"a \(x<b></b>^2\) b"#, #"a $$x^2$<img>$ b"#, #"a \<img>(x\) b"#, "a $$\\\u{6}frac12$$ b",
    #"a $$x<i>^2</i>$$ b $$y^2$$"#,
  ])
  func `invisible content within a formula is ignored`(words: String) throws {
    let once = try canonical("<p>\(words)</p>")
    #expect(once.contains("<math"))
    #expect(try canonical(once) == once)
  }

  @Test func `facts about a page are kept if its text has formulas`() throws {
    let result = try sanitized(
      #"<base href=https://b.example/><script>x</script><img src=a alt=A><p>\(x^2\) "#
        + "<rd-annotation data-annotation-id-value=K data-annotation-note title=N>y</rd-annotation>"
        + "<rd-annotation data-annotation-id-value=K>z</rd-annotation><iframe src=/f></iframe>")
    let plain = try sanitized(
      "<base href=https://b.example/><script>x</script><img src=a alt=A><p>"
        + "<rd-annotation data-annotation-id-value=K data-annotation-note title=N>y</rd-annotation>"
        + "<rd-annotation data-annotation-id-value=K>z</rd-annotation><iframe src=/f></iframe>")
    #expect(result.dropped == plain.dropped && result.losses == plain.losses)
    #expect(result.annotations == plain.annotations && result.baseURL == plain.baseURL)
    #expect(result.firstImageAlt == "A" && result.mediaCount == plain.mediaCount)
  }

  @Test func `a formula in a heading is in its words`() throws {
    let result = try sanitized(#"<h2>On \(x^2\)</h2>"#)
    #expect(result.headings.map(\.text) == ["On x2"])
  }

  @Test(arguments: ["$$", "\\(", "\\(x", "$$x", "\\begin{align}", "\\[\\(", "\\)", "\\(x\\)", "\\"])
  func `repeated signs take linear time`(piece: String) throws {
    let html = String(repeating: piece, count: 50_000 / piece.utf8.count) + "\\)"
    let time = try processorTime { _ = try sanitized(html) }
    #expect(time < .seconds(5), "\(time)")
  }
}
