import ArchiverMarkup
import Testing

/// What the sanitiser leaves out is counted by kind.
@Suite struct LossTests {
  @Test(arguments: [
    ("<script>x()</script><script src=/a.js></script>", ["script": 2]),
    ("<style>p{}</style>", ["style": 1]),
    ("<input type=text><input type=hidden><datalist></datalist>", ["formControl": 2]),
    ("<input type=checkbox><input type=submit value=Go>", [:]),
    ("<iframe src=https://v.example/1></iframe><object data=/x.swf></object>", ["embed": 2]),
    ("<svg width=200 height=100></svg>", ["drawing": 1]),
    ("<svg width=16 height=16><path/></svg>", [:]),
    ("<svg>" + String(repeating: "<g></g>", count: 9) + "</svg>", [:]),
    ("<svg>" + String(repeating: "<g></g>", count: 10) + "</svg>", ["drawing": 1]),
    ("<span class=MathJax></span>", ["formula": 1]),
    ("<script type=math/tex>\\nothing</script>", ["formula": 1]),
    ("<code class=n-latex>\\nothing</code>", ["formula": 1]),
    ("<p>plain <b>text</b></p>", [:]),
  ])
  func `removed content is counted by kind`(html: String, losses: [String: Int]) throws {
    #expect(try sanitized("<p>a</p>" + html).losses == losses)
  }
}
