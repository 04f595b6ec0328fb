/// Writes one formula as presentation MathML whose leaves hold text and nothing else.
///
/// In `mi`, `mo`, `mn`, `ms` and `mtext` a browser reads HTML again; that is where markup hides from
/// sanitisers. Hence no element is ever written inside one, and no text outside one.
struct MathWriter {
  private(set) var bytes: [UInt8] = []
  /// The text of the leaves.
  private(set) var text = ""
  /// Names of open elements; `nil` for one whose tags were left out.
  private var stack: [String?] = []
  private var skipped = 0
  private var leaf: [UInt8]?
  private var leafDepth = 0
  /// The offset of the end of the current leaf's start tag, and whether it has classes, if the leaf
  /// may be a stretching accent.
  private var accentTag: (end: Int, hasClasses: Bool)?
  /// What the element that is being started draws around its content.
  private var notation: [MathClass] = []
  /// The open `mfenced` elements: the size of `stack` inside, and the number of children so far.
  private var fences: [(depth: Int, fence: MathFence, children: Int)] = []
  /// The columns' alignments of each open table, with the number of cells in the row so far.
  private var tables: [(alignment: [Substring], cells: Int)] = []

  private static let leaves: Set<String> = ["mi", "mn", "mo", "ms", "mtext"]
  private static let empties: Set<String> = ["mspace", "mprescripts", "none"]
  private static let containers: Set<String> = [
    "math", "mrow", "mfrac", "msqrt", "mroot", "mstyle", "merror", "mpadded", "mphantom", "msub",
    "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts", "mtable", "mtr", "mtd",
  ]
  /// Elements whose other children are left out, so that what is left counts as one.
  private static let groups: Set<String> = ["semantics", "maction"]
  private static let attributes: Set<String> = [
    "display", "displaystyle", "scriptlevel", "mathvariant", "stretchy", "accent", "accentunder",
    "fence", "separator", "form", "linethickness", "lspace", "rspace", "minsize", "maxsize",
    "symmetric", "movablelimits", "largeop", "columnalign", "rowalign", "columnspan", "rowspan",
    "columnspacing", "rowspacing", "columnlines", "rowlines", "width", "height", "depth", "voffset",
    "dir", "mathsize", "alttext",
  ]

  /// Whether there is anything to show.
  var hasContent: Bool { !text.isEmpty }

  mutating func start(_ name: String, _ attributes: HTMLAttributes) {
    // A labelled row is a row; an image in a formula is its alternative text.
    let written = name
    let name = written == "mlabeledtr" ? "mtr" : written == "menclose" ? "mrow" : written
    if written == "menclose" { notation = MathClass.notation(attributes["notation"] ?? "longdiv") }
    defer { notation = [] }
    if name == "mglyph" || name == "img", skipped == 0 {
      leaf? += (attributes["alt"] ?? "").utf8
    }
    let isHidden = name == "annotation" || name == "annotation-xml" || name == "script"
    if skipped > 0 || isHidden || name == "style" || name == "svg" {
      skipped += 1
    } else if leaf != nil {
      leafDepth += 1
    } else if MathWriter.leaves.contains(name) {
      separate()
      let isAccent =
        name == "mo" && (stack.last == "mover" || stack.last == "munder")
        && attributes["stretchy"] != "false"
      let classes = startTag(name, attributes)
      if isAccent, !classes.contains(where: \.isWide) {
        accentTag = (bytes.count - 1, !classes.isEmpty)
      }
      leaf = []
      stack.append(name)
    } else if MathWriter.empties.contains(name) {
      separate()
      startTag(name, attributes)
      endTag(name)
      stack.append(nil)
    } else if MathWriter.containers.contains(name), stack.count < 100,
      name != "math" || stack.isEmpty
    {
      separate()
      startTag(name, attributes)
      stack.append(name)
    } else if name == "mfenced", stack.count < 100 {
      separate()
      startTag("mrow", attributes)
      stack.append("mrow")
      let fence = MathFence { attributes[$0] }
      fences.append((stack.count, fence, 0))
      writeFence(fence.open)
    } else if MathWriter.groups.contains(name), stack.count < 100 {
      separate()
      startTag("mrow", HTMLAttributes())
      stack.append("mrow")
    } else {
      stack.append(nil)
    }
  }

  /// Ends an element; returns whether it was the formula itself.
  mutating func end(_ name: String) -> Bool {
    if skipped > 0 {
      skipped -= 1
    } else if leafDepth > 0 {
      leafDepth -= 1
    } else if let name = stack.popLast() {
      if leaf != nil { finishLeaf() }
      if let last = fences.last, last.depth > stack.count {
        fences.removeLast()
        writeFence(last.fence.close)
      }
      if let name { endTag(name) }
    }
    return stack.isEmpty && skipped == 0
  }

  /// Writes the separator before a child of an `mfenced` element.
  private mutating func separate() {
    guard let last = fences.indices.last, fences[last].depth == stack.count else { return }
    if let sign = fences[last].fence.separator(before: fences[last].children) {
      writeOperator(sign, "separator")
    }
    fences[last].children += 1
  }

  private mutating func writeFence(_ sign: String) {
    if !sign.isEmpty { writeOperator(sign, "fence") }
  }

  private mutating func writeOperator(_ sign: String, _ role: String) {
    bytes += "<mo \(role)=\"true\">".utf8
    for byte in sign.utf8 { bytes.appendEscapedText(byte) }
    bytes += "</mo>".utf8
    text += sign
  }

  mutating func write(_ piece: UnsafeBufferPointer<UInt8>) {
    guard skipped == 0 else { return }
    if leaf != nil {
      leaf?.append(contentsOf: piece)
    } else if !piece.allSatisfy(TextByte.isSpace) {
      bytes += "<mtext>".utf8
      leaf = Array(piece)
      finishLeaf()
      bytes += "</mtext>".utf8
    }
  }

  private mutating func finishLeaf() {
    let words = (leaf ?? []).filter { $0 >= 0x20 && $0 != 0x7F || TextByte.isSpace($0) }.split(
      whereSeparator: TextByte.isSpace)
    leaf = nil
    let joined = [UInt8](words.joined(separator: [0x20]))
    if let tag = accentTag, let wide = MathClass.wide(String(decoding: joined, as: UTF8.self)) {
      // The classes are the last attribute.
      if tag.hasClasses {
        bytes.insert(contentsOf: " \(wide.rawValue)".utf8, at: tag.end - 1)
      } else {
        bytes.insert(contentsOf: " class=\"\(wide.rawValue)\"".utf8, at: tag.end)
      }
    }
    accentTag = nil
    for byte in joined { bytes.appendEscapedText(byte) }
    text += String(decoding: joined, as: UTF8.self)
  }

  /// Writes a start tag and returns its classes.
  @discardableResult
  private mutating func startTag(_ name: String, _ attributes: HTMLAttributes) -> [MathClass] {
    bytes.append(0x3C)
    bytes += name.utf8
    for (name, value) in attributes.items
    where MathWriter.attributes.contains(name) && value.utf8.count < 500 {
      bytes.appendAttribute(name, value)
    }
    let classes = classes(of: name, attributes)
    if !classes.isEmpty {
      bytes.appendAttribute("class", classes.map(\.rawValue).joined(separator: " "))
    }
    bytes.append(0x3E)
    return classes
  }

  /// Returns the classes for what MathML Core has no attributes for.
  private mutating func classes(of name: String, _ attributes: HTMLAttributes) -> [MathClass] {
    var classes = attributes["class"].map(MathClass.known) ?? []
    func add(_ new: MathClass?) {
      if let new, !classes.contains(new) { classes.append(new) }
    }
    for new in notation { add(new) }
    if let color = attributes["mathcolor"] ?? attributes["color"] { add(MathClass.ink(color)) }
    if let color = attributes["mathbackground"] { add(MathClass.tint(color)) }
    switch name {
    case "mtable":
      tables.append(((attributes["columnalign"] ?? "").prefix(200).split(separator: " "), 0))
    case "mtr": if let last = tables.indices.last { tables[last].cells = 0 }
    case "mtd":
      guard let last = tables.indices.last else { break }
      let table = tables[last]
      let alignment =
        attributes["columnalign"].map { $0[...] }
        ?? (table.alignment.isEmpty
          ? nil : table.alignment[min(table.cells, table.alignment.count - 1)])
      tables[last].cells += 1
      guard !classes.contains(.left), !classes.contains(.right) else { break }
      if alignment == "left" { add(.left) }
      if alignment == "right" { add(.right) }
    default: break
    }
    return classes
  }

  private mutating func endTag(_ name: String) {
    if name == "mtable" { _ = tables.popLast() }
    bytes += "</".utf8
    bytes += name.utf8
    bytes.append(0x3E)
  }
}
