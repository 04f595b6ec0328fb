/// The dictionaries of the targets.
enum Words {
  static let html =
    elements.flatMap { ["<\($0)>", "</\($0)>", "<\($0) "] }
    + [
      " id=a", " id=\"b c\"", " name=n", " href=#a", " href=\"/x?a=1&b=2\"",
      " href=javascript:alert(1)", " href=\"&#x6a;avascript&colon;1\"", " src=i.png",
      " src='data:image/gif;base64,R0lGODlhAQABAAAAACw='", " src=\"data:text/html,<script>\"",
      " srcset=\"a 1x, b,c 2x\"", " data-src=l.jpg", " data-srcset='x 2x'", " alt='a \"q\"'",
      " title=\"t<&>\"", " style='text-align:center;background:url(b.png)'",
      " style=\"background-image:url('x');}body{color:red\"", " class=embed", " class=hl-note",
      " data-hl=K", " data-annotation-id-value=K", " data-annotation-note", " onclick=x",
      " onerror=alert(1)", " colspan=2", " width=10", " height=1", " align=center", " dir=rtl",
      " lang=de", " open", " reversed", " start=3", " poster=p.jpg", " type=checkbox",
      " srcdoc='<b>'", " srcdoc='<p>x</p><iframe srcdoc=y></iframe>'", " usemap=#m", " name=m",
      " shape=poly", " coords='1,2,3,4'", " shadowrootmode=open", " label=L",
      " style='white-space:pre-wrap'", " style='white-space:pre-line'",
      " style='color:red;background:#ff8'", " bgcolor=lime", " data=o.svg", "  \n  ", "\n",
      " xlink:href=javascript:1", " formaction=javascript:1", " headers='a b'",
      "=", "\"", "'", "/", "/>", "&amp;", "&lt;b&gt;", "&#0;", "\u{0}", "&nbsp;", "<", ">",
      "<!-- c -->", "<!--", "-->", "--!>", "<![CDATA[x]]>", "<?pi?>", "&#xD800;", "\u{FEFF}",
      "\r\n", "\t", "&#13;", "\u{85}", "&#x80;", "\u{FFFF}", "\u{200B}", "\u{2028}", "é漢",
      "<!DOCTYPE html>", "<base href='javascript:1'>", "<base href=//other.example/>", "word ",
      "$$", "\\(", "\\)", "\\[", "\\]", "x^2", "\\frac12", "\\nothing{x}", "\\begin{align}",
      "\\end{align}",
      " class=latex", " class=math-box", " notation=box", " mathcolor=red",
      " columnalign='left right'",
    ]

  private static let elements = [
    "p", "div", "b", "i", "em", "a", "span", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr",
    "td", "th", "tbody", "thead", "caption", "col", "colgroup", "pre", "h1", "h2", "h6", "section",
    "figure", "figcaption", "details", "summary", "blockquote", "img", "image", "br", "hr", "wbr",
    "picture", "source", "video", "audio", "track", "noscript", "math", "mi", "mrow", "mtext",
    "mglyph", "annotation-xml", "menclose", "mtable", "mtr", "mtd", "noembed", "noframes", "svg",
    "text", "desc", "foreignObject", "script", "style", "form",
    "input", "button", "select", "option", "optgroup", "map", "area", "canvas", "plaintext",
    "textarea", "iframe", "embed", "object", "param",
    "ruby", "rt", "rp", "rd-annotation", "mark", "sup", "template", "body", "html", "head",
    "title", "base", "meta", "link", "font", "center", "x-y", "code", "frameset", "frame", "nobr",
    "tt", "q", "bdo", "menu", "address", "legend", "xmp", "plaintext", "listing", "s", "u",
    "small", "marquee", "isindex", "applet", "keygen", "area", "map",
  ]

  static let documents = [
    "<h1>A</h1><p>One <b>two</b> <a href=\"/x\">three</a></p><ul><li>four<li>five</ul>",
    "<picture><source srcset=\"a.webp 1x, b.webp 2x\" type=image/webp><img src=a.png alt=A></picture>"
      + "<img data-src=lazy.jpg src=\"data:image/gif;base64,R0lGODlhAQABAAAAACw=\" width=3>",
    "<table><caption>c</caption><tr><th scope=row>1<td colspan=2 style=\"text-align:right\">2</table>",
    "<video src=v.mp4 poster=p.jpg></video><audio src=s.mp3></audio><iframe src=\"https://video.example/1\"></iframe>",
    "<section><p>Say <rd-annotation data-annotation-id-value=K1 data-annotation-color=red>this"
      + "</rd-annotation><rd-annotation data-annotation-id-value=K1 data-annotation-note title=\"n\"></rd-annotation>.",
    "<math><mrow><mi>x</mi><mo>=</mo><msup><mi>y</mi><mn>2</mn></msup></mrow></math><svg><title>t</title><text>d</text></svg>",
    "<noscript><img src=n.png></noscript><div style=\"background-image:url(b.png)\">d</div><pre>  a\n b</pre>",
    "<p>a \\(x^2\\) b $$\\frac12$$ c<math><mtable columnalign=right><mtr><mtd><menclose notation=box><mi>x</mi>",
    "<details open><summary>s</summary><blockquote cite=/c><p>q</blockquote></details><ruby>漢<rt>kan</ruby>",
  ]

  static let drawing = [
    "<svg xmlns=\"http://www.w3.org/2000/svg\">", "</svg>", "<script>", "</script>", "<g>", "</g>",
    "<use href=\"#a\"/>", "<use xlink:href=\"http://e.example/#a\"/>", " onload=\"x()\"",
    "<image href=\"http://e.example/i.png\"/>", "<image href=\"data:image/png;base64,AA==\"/>",
    "<image href=\"data:image/svg+xml,&lt;svg/>\"/>", "<style>", "</style>",
    "*{fill:url(http://e.example/)}", "@import 'x';", " style=\"fill:url(//e)\"",
    "<foreignObject>", "</foreignObject>", "<animate attributeName=\"href\" to=\"javascript:1\"/>",
    "<set/>", "<a href=\"javascript:1\">", "</a>", "<!DOCTYPE svg [<!ENTITY e \"x\">]>", "&e;",
    "<![CDATA[", "]]>", "<?xml-stylesheet href=\"x\"?>", " fill=\"url(#a)\"", "<text>", "</text>",
    " xlink:href=\"javascript:1\"", " xmlns:x=\"http://www.w3.org/1999/xhtml\"", "<x:script/>",
    "<switch>", "</switch>", "<mask id=\"m\">", "</mask>", "&#x6a;", "\u{0}", "<!--", "-->",
  ]

  static let drawings = [
    "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 9 9\"><defs>"
      + "<linearGradient id=\"a\"><stop offset=\"0\"/></linearGradient></defs><style>.b{fill:red}</style>"
      + "<g class=\"b\"><path d=\"M0 0\" fill=\"url(#a)\"/><text x=\"1\">t</text></g></svg>",
    "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"><symbol id=\"s\">"
      + "<rect width=\"1\"/></symbol><use xlink:href=\"#s\"/><image href=\"data:image/png;base64,AA==\"/></svg>",
  ]

  static let program = [
    "\"type\":\"item\"", "\"type\":\"page\"", "\"type\":\"description\"", "\"type\":\"error\"",
    "\"html\":", "\"htmlFile\":\"../x\"", "\"file\":\"/etc/passwd\"", "\"contentStyle\":",
    "\"retryAfter\":1e308", "\"minimum\":1e300", "\"protocol\":", "\"metadata\":{}",
    "\"code\":\"cancelled\"", "url(//x)", "\\\\75rl(", "\"id\":\"\"", "\"payload\":",
  ]

  static let graph = [
    "\"graph\":", "\"node\":", "\"others\":", "\"edges\":", "\"source\":\"a\"", "\"target\":\"a\"",
    "\"kind\":\"relation\"", "\"kind\":\"parent\"", "\"kind\":\"data_source\"", "\"parent\":\"a\"",
    "\"count\":-1", "\"reverse\":", "\"files\":", "\"hash\":", "</script>", "\\u0000", "\\uFFFF",
  ]

  static let pdf = [
    "<<", ">>", "[", "]", "(", ")", "<FEFF0041>", "obj", "endobj", "stream\n", "endstream", "xref",
    "trailer", "startxref", "%%EOF", "/Type", "/Catalog", "/Pages", "/Count", "/Kids", "/Parent",
    "/Title", "/Info", "/Root", "/Size", "/Prev", "/XRefStm", "/Encrypt", "/ObjStm", "/XRef",
    "/Filter /FlateDecode", "/Length", "/Predictor 15", "/W [1 2 1]", "/Index [0 9]", " 0 R",
    "0000000009 00000 n ", "99999999999", "-1", "\\377\\376", "%PDF-2.0", "null", "true",
  ]

  static let json = [
    "{", "}", "[", "]", "\"", ",", ":", "null", "true", "false", "0", "-1", "1e999", "1E-400",
    "9223372036854775808", "18446744073709551616", "0.1", "\"\"", "\"\\ud800\"", "\"\\u0000\"",
    "{}", "[]", "[[", "{\"a\":", "\u{FEFF}", "\"2026-13-45T99:99:99Z\"", "\"0001-01-01T00:00:00Z\"",
    "\"https://example.org/\"", "\"javascript:alert(1)\"", "\"http://[::1\"", "\"..\\/..\\/x\"",
    "\"has_more\":true", "\"next_cursor\":\"x\"", "\"type\":\"unsupported\"", "\"results\":[]",
    "\"object\":\"list\"", "\"id\":", "\"has_children\":true", "//", "/*", "'", "NaN", "Infinity",
  ]

  static let multipart = [
    "\r\n", "\r\n\r\n", "--", "\r\n--", "Bookmark-Id: ", "Type: json", "Type: html",
    "Content-Type: text/html", ":", "\n", "\u{0}", "Filename: ../../x", "--\r\n",
  ]

  static let xml = [
    "<feed xmlns=\"http://www.w3.org/2005/Atom\">", "</feed>", "<entry>", "</entry>", "<link ",
    " rel=\"next\"", " rel=\"http://opds-spec.org/acquisition\"", " href=\"/opds\"", " href=\"//\"",
    " href=\"javascript:1\"", " type=\"application/epub+zip\"", "<id>", "</id>", "<updated>",
    "</updated>", "<content type=\"xhtml\">", "</content>", "<content type=\"html\">", "<title>",
    "</title>", "<![CDATA[", "]]>", "<!DOCTYPE a [<!ENTITY x \"&y;&y;\">]>", "&x;", "&amp;", "<!--",
    "-->", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>", " xmlns:a=\"b\"", "<a:b>", "&#0;",
    "\u{FEFF}", "\u{0}", "<author><name>", "/>", "\"", "<x>", "</x>",
  ]

  static let book = [
    "<item ", "<itemref ", "<spine>", "</spine>", "<manifest>", "</manifest>", "<navPoint>",
    "</navPoint>", "<ol>", "<li>", "</li>", "</ol>", "<nav ", " idref=\"p0\"", " id=\"p0\"",
    " href=\"../../../etc/passwd\"", " href=\"a.xhtml#x\"", " href=\"file:///etc/passwd\"",
    " properties=\"nav\"", " media-type=\"application/xhtml+xml\"", " fallback=\"p0\"",
    "<meta property=\"rendition:layout\">pre-paginated</meta>", "<dc:title>", "<svg>", "</svg>",
    "<img src=\"x\" onerror=\"y\"/>", "<script>", "</script>", "<style>", "</style>",
    "@import \"//e.example\";", "url(//e.example/)", "{", "}", ";", "/*", "*/", "\\", "@media x{",
    "position:fixed", "<iframe src=\"//e\">", "<p style=\"background:url(//e)\">",
    "<body onload=\"x\">", "<object data=\"//e\">", "<a href=\"javascript:1\">", "</a>",
  ]

  static let zip = [
    "PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}", "PK\u{6}\u{6}", "PK\u{6}\u{7}", "../../x",
    "/etc/x", "META-INF/container.xml", "mimetype", "\u{0}", "\u{0}\u{0}\u{0}\u{0}",
  ]
}
