/// Writes formulas as MathML Core, which browsers display without scripts.
package enum MathMLWriter {
  /// Writes a LaTeX formula; returns `false` and writes nothing for an unsupported one.
  package static func write(_ source: String, isBlock: Bool, to html: inout HTMLWriter) -> Bool {
    guard let node = LaTeXParser.parse(source) else { return false }
    html.element("math", ["display": isBlock ? "block" : nil, "alttext": source]) { html in
      write(node, to: &html)
    }
    return true
  }

  private static func write(_ node: MathNode, to html: inout HTMLWriter) {
    switch node {
    case .row(let nodes): html.element("mrow") { html in nodes.forEach { write($0, to: &html) } }
    case .identifier(let text): html.element("mi", text: text)
    case .upright(let text):
      html.element("mi", ["mathvariant": text.count == 1 ? "normal" : nil], text: text)
    case .number(let text): html.element("mn", text: text)
    case .symbol(let text, let kind): symbol(text, kind, to: &html)
    case .text(let text): html.element("mtext", text: edgesKept(text))
    case .space(let width): html.element("mspace", ["width": width]) { _ in }
    case .fraction(let top, let bottom, let line):
      html.element("mfrac", ["linethickness": line]) { html in
        write(top, to: &html)
        write(bottom, to: &html)
      }
    case .root(let radicand, let index): root(radicand, index, to: &html)
    case .scripts(let base, let lower, let upper):
      scripts(("msub", "msup", "msubsup"), base, lower, upper, to: &html)
    case .limits(let base, nil, nil): write(base, to: &html)
    case .limits(let base, let lower, let upper):
      scripts(("munder", "mover", "munderover"), base, lower, upper, to: &html)
    case .accent(let base, let mark, let isBelow, let stretches):
      let attribute: HTMLWriter.Attributes =
        isBelow ? ["accentunder": "true"] : ["accent": "true"]
      html.element(isBelow ? "munder" : "mover", attribute) { html in
        write(base, to: &html)
        html.element(
          "mo",
          [
            "stretchy": stretches ? "true" : "false",
            "class": stretches ? MathClass.wide(mark)?.rawValue : nil,
          ], text: mark)
      }
    case .table(let rows, let layout): table(rows, layout, to: &html)
    case .styled(let inner, let isDisplay):
      html.element("mstyle", ["displaystyle": isDisplay ? "true" : "false"]) {
        write(inner, to: &$0)
      }
    case .phantom(let inner): html.element("mphantom") { write(inner, to: &$0) }
    case .resized(let inner, let size):
      html.element("mstyle", ["mathsize": size]) { write(inner, to: &$0) }
    case .marked(let inner, let classes):
      html.element("mrow", ["class": names(classes)]) { write(inner, to: &$0) }
    case .padded(let inner, let lengths):
      html.element(
        "mpadded",
        [
          "width": lengths["width"], "height": lengths["height"], "depth": lengths["depth"],
          "voffset": lengths["voffset"],
        ]
      ) { write(inner, to: &$0) }
    case .rule(let width, let height, let depth):
      // Browsers do not paint the background of `mspace`.
      html.element("mrow", ["class": MathClass.rule.rawValue]) {
        $0.element("mspace", ["width": width, "height": height, "depth": depth]) { _ in }
      }
    }
  }

  private static func symbol(_ text: String, _ kind: MathSymbol, to html: inout HTMLWriter) {
    switch kind {
    case .plain: html.element("mo", text: text)
    case .fence: html.element("mo", ["fence": "true", "stretchy": "true"], text: text)
    case .sized(let size):
      html.element("mo", ["stretchy": "true", "minsize": size, "maxsize": size], text: text)
    case .large: html.element("mo", ["movablelimits": "true"], text: text)
    case .rigid: html.element("mo", ["stretchy": "false"], text: text)
    case .arrow: html.element("mo", ["stretchy": "true", "minsize": "2em"], text: text)
    }
  }

  private static func root(_ radicand: MathNode, _ index: MathNode?, to html: inout HTMLWriter) {
    html.element(index == nil ? "msqrt" : "mroot") { html in
      write(radicand, to: &html)
      if let index { write(index, to: &html) }
    }
  }

  private static func scripts(
    _ names: (String, String, String), _ base: MathNode, _ lower: MathNode?, _ upper: MathNode?,
    to html: inout HTMLWriter
  ) {
    let name = lower == nil ? names.1 : upper == nil ? names.0 : names.2
    html.element(name) { html in
      write(base, to: &html)
      if let lower { write(lower, to: &html) }
      if let upper { write(upper, to: &html) }
    }
  }

  private static func table(_ rows: [[MathNode]], _ layout: MathTable, to html: inout HTMLWriter) {
    let cycle = layout.alignment.isEmpty ? ["center"] : layout.alignment
    let width = rows.map(\.count).max() ?? 1
    let columns = (0..<width).map { cycle[$0 % cycle.count] }.joined(separator: " ")
    html.element(
      "mtable", ["columnalign": columns, "displaystyle": layout.isDisplay ? "true" : nil]
    ) { html in
      for (number, row) in rows.enumerated() {
        html.element("mtr") { html in
          for column
            in 0..<(layout.verticals.isEmpty && layout.horizontals.isEmpty ? row.count : width)
          {
            let classes = layout.classes(row: number, column: column, of: rows.count, width)
            html.element("mtd", ["class": names(classes)]) {
              if column < row.count { write(row[column], to: &$0) }
            }
          }
        }
      }
    }
  }

  private static func names(_ classes: [MathClass]) -> String? {
    classes.isEmpty ? nil : classes.map(\.rawValue).joined(separator: " ")
  }

  /// Keeps leading and trailing spaces, which MathML would drop.
  private static func edgesKept(_ text: String) -> String {
    var text = text
    if text.hasPrefix(" ") { text = "\u{A0}" + text.dropFirst() }
    if text.hasSuffix(" ") { text = text.dropLast() + "\u{A0}" }
    return text
  }
}
