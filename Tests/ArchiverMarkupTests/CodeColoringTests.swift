import Testing

@testable import ArchiverMarkup

struct CodeColoringTests {
  /// Returns the words of tokens with their kinds.
  private static func words(_ text: String, _ language: String) -> [String] {
    let bytes = Array(text.utf8)
    return CodeColoring.tokens(in: text, language: language).map { token in
      "\(token.kind.rawValue):\(String(decoding: bytes[token.range], as: UTF8.self))"
    }
  }

  static let samples: [(language: String, text: String, words: [String])] = [
    (
      "swift", "@main /* a /* b */ c */ struct A { let s = \"x\\\"y\" } // end",
      [
        "meta:@main", "comment:/* a /* b */ c */", "keyword:struct", "type:A", "keyword:let",
        "string:\"x\\\"y\"", "comment:// end",
      ]
    ),
    (
      "python", "@cached\ndef f(x): return \"\"\"a\nb\"\"\" # c",
      [
        "meta:@cached", "keyword:def", "keyword:return", "string:\"\"\"a\nb\"\"\"", "comment:# c",
      ]
    ),
    ("JavaScript", "const a = `x\n` + 1.5e-3", ["keyword:const", "string:`x\n`", "number:1.5e-3"]),
    ("typescript", "type A = number", ["keyword:type", "type:A", "keyword:number"]),
    ("java", "public class A {}", ["keyword:public", "keyword:class", "type:A"]),
    ("c", "#include <a.h>\nint x = 0x1F;", ["meta:#include", "keyword:int", "number:0x1F"]),
    (
      "C++", "template<class T> auto x = nullptr;",
      ["keyword:template", "keyword:class", "type:T", "keyword:auto", "keyword:nullptr"]
    ),
    (
      "c#", "using System; var x = 1;", ["keyword:using", "type:System", "keyword:var", "number:1"]
    ),
    ("go", "func f() { s := `a\\` }", ["keyword:func", "string:`a\\`"]),
    ("rust", "#[derive(Debug)] fn f<'a>() {}", ["meta:#[derive(Debug)]", "keyword:fn"]),
    (
      "xml", "<?xml version=\"1.0\"?><!DOCTYPE a>&#233;",
      ["meta:<?xml version=\"1.0\"?>", "meta:<!DOCTYPE a>", "number:&#233;"]
    ),
    ("kotlin", "val a = null", ["keyword:val", "keyword:null"]),
    (
      "ruby", "def a; :sym; A::B end",
      ["keyword:def", "meta::sym", "type:A", "type:B", "keyword:end"]
    ),
    ("php", "<?php $a = 'x'; # c", ["name:$a", "string:'x'", "comment:# c"]),
    (
      "bash", "if [ $# -gt 1 ]; then echo \"$a\" # c\nfi",
      [
        "keyword:if", "number:1", "keyword:then", "keyword:echo", "string:\"$a\"", "comment:# c",
        "keyword:fi",
      ]
    ),
    ("sql", "SELECT a FROM b -- c", ["keyword:SELECT", "keyword:FROM", "comment:-- c"]),
    (
      "html", "<!-- c --><a href=\"x\">&amp;</a>",
      ["comment:<!-- c -->", "keyword:a", "name:href", "string:\"x\"", "number:&amp;", "keyword:a"]
    ),
    (
      "css", "@media x { .a { color: #fff; /* c */ } }",
      ["keyword:@media", "type:x", "type:a", "name:color", "number:#fff", "comment:/* c */"]
    ),
    (
      "json", "{\"a\": [1, true, \"b\"]}",
      ["name:\"a\"", "number:1", "keyword:true", "string:\"b\""]
    ),
    (
      "yaml", "- key: true # c\n  url: http://a.b\n",
      ["name:key", "keyword:true", "comment:# c", "name:url"]
    ),
    ("toml", "[part]\na = \"x\"", ["type:[part]", "name:a ", "string:\"x\""]),
    ("diff", "@@ -1 @@\n-a\n+b\n c", ["meta:@@ -1 @@", "name:-a", "string:+b"]),
    (
      "powershell", "Foreach ($a in $b) { Get-Item }",
      ["keyword:Foreach", "name:$a", "keyword:in", "name:$b", "type:Get-Item"]
    ),
    ("plain text", "if true", []),
  ]

  @Test(arguments: samples.indices)
  func `words have the colours of their language`(index: Int) {
    let sample = Self.samples[index]
    #expect(Self.words(sample.text, sample.language) == sample.words)
  }

  @Test func `twenty languages and more are known`() {
    #expect(CodeColoring.languages.count >= 30)
    #expect(CodeColoring.languages.contains("swift"))
  }

  @Test func `tokens never overlap, whatever the text`() {
    let pieces = [
      "\"", "'", "/*", "*/", "//", "#", "<", ">", "<!--", "a", "1", "e+", ":", "=", "\n", "é", "\\",
      "@", "$", "{", "[", " ", "\"\"\"", "`",
    ]
    var seed: UInt64 = 42
    func next(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((seed >> 33) % UInt64(bound))
    }
    for language in CodeColoring.languages {
      for _ in 0..<60 {
        let text = (0..<next(40)).map { _ in pieces[next(pieces.count)] }.joined()
        var end = 0
        for token in CodeColoring.tokens(in: text, language: language) {
          #expect(token.range.lowerBound >= end && !token.range.isEmpty)
          end = token.range.upperBound
        }
        #expect(end <= text.utf8.count)
      }
    }
  }

  @Test func `a long text without an end is read, a longer one than a megabyte is not`() {
    for text in ["\"", "/*", "<a ", "a: ", "x", "#", "<!", "\"a\" "] {
      let long = String(repeating: text, count: 40_000 / text.utf8.count)
      for language in ["swift", "html", "yaml", "json", "css"] {
        let count = CodeColoring.tokens(in: long, language: language).count
        #expect(count <= long.utf8.count)
      }
    }
    let longer = String(repeating: "if ", count: CodeColoring.mostBytes)
    #expect(CodeColoring.tokens(in: longer, language: "swift").isEmpty)
  }
}
