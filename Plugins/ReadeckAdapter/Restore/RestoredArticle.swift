import ArchiverCore
import ArchiverMarkup

/// An article as Readeck stores it (without highlight marks, images in separate files) and the
/// positions of its highlights.
struct RestoredArticle {
  private(set) var html: [UInt8] = []
  /// Ranges in code points from the beginning of the text, by highlight id.
  private(set) var marks: [String: Range<Int>] = [:]
  /// The names of the images in the article.
  private(set) var shown: Set<String> = []
  private(set) var lostPictures = 0
  /// The number of `img` elements.
  private(set) var imageCount = 0
  /// The text with white space collapsed, for Readeck's search.
  private(set) var words = ""

  private let pictures: RestoredPictures
  private var writer = HTMLWriter()
  private var text: [Unicode.Scalar] = []

  init(
    _ delivered: [UInt8], _ annotations: [Annotation], _ pictures: RestoredPictures
  ) throws(MarkupError) {
    self.pictures = pictures
    let root = try ContentTree.parse(delivered)
    let nodes = root.children.filter { node in
      if case .text(let text) = node { !text.allSatisfy(\.isWhitespace) } else { true }
    }
    // Selectors begin at the outermost element.
    if nodes.count == 1, case .element(let section) = nodes[0], section.name == "section" {
      write(section)
    } else {
      writer.open("section", attributes: [])
      write(nodes, isKept: false)
      writer.close("section")
    }
    html = writer.bytes
    find(annotations.filter { marks[$0.id] == nil })
    words = String(String.UnicodeScalarView(text)).split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  /// Finds highlights without a mark by their text, if it occurs once in the article.
  private mutating func find(_ annotations: [Annotation]) {
    for annotation in annotations {
      let wanted = Array(annotation.text.unicodeScalars)
      guard !wanted.isEmpty, wanted.count <= text.count else { continue }
      let places = (0...(text.count - wanted.count)).filter { start in
        text[start] == wanted[0] && text[start..<(start + wanted.count)].elementsEqual(wanted)
      }
      if places.count == 1 { marks[annotation.id] = places[0]..<(places[0] + wanted.count) }
    }
  }

  /// Returns the position of a highlight, in code points, in the same article as another program
  /// wrote it: the same position or, if the words differ there, the nearest one with the same
  /// words.
  func place(of annotation: Annotation, in other: [Unicode.Scalar]) -> Range<Int>? {
    guard let mark = marks[annotation.id] else { return nil }
    let words = Array(text[mark])
    guard let first = words.first, words.count <= other.count else { return nil }
    func has(_ start: Int) -> Bool {
      other[start] == first && other[start..<start + words.count].elementsEqual(words)
    }
    let last = other.count - words.count
    if mark.lowerBound <= last, has(mark.lowerBound) { return mark }
    let nearest = (0...last).filter(has)
      .min { abs($0 - mark.lowerBound) < abs($1 - mark.lowerBound) }
    return nearest.map { $0..<$0 + words.count }
  }

  private static let voids: Set<String> = [
    "br", "hr", "img", "wbr", "source", "track", "col", "area", "input", "embed",
  ]
  private static let inline: Set<String> = [
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "i", "img", "ins",
    "kbd", "label", "mark", "math", "q", "rd-annotation", "ruby", "s", "samp", "small", "span",
    "strong", "sub", "sup", "time", "u", "var", "br", "wbr", "svg", "picture",
  ]

  /// Writes nodes, without the white space between blocks: it is not visible, and would become part
  /// of a highlight that spans them.
  private mutating func write(_ nodes: [ContentNode], isKept: Bool) {
    for (index, node) in nodes.enumerated() {
      switch node {
      case .text(let words):
        let isBetween =
          !isKept && words.allSatisfy(\.isWhitespace)
          && !RestoredArticle.isInline(nodes, index - 1)
          && !RestoredArticle.isInline(nodes, index + 1)
        if isBetween { continue }
        writer.text(words)
        text += words.unicodeScalars
      case .element(let element): write(element)
      }
    }
  }

  /// Whether the node at an index is an inline element, so that text continues across it.
  private static func isInline(_ nodes: [ContentNode], _ index: Int) -> Bool {
    guard nodes.indices.contains(index), case .element(let element) = nodes[index] else {
      return false
    }
    return inline.contains(element.name)
  }

  private mutating func write(_ element: ContentElement) {
    if element.name == "rd-annotation" { return writeMarked(element) }
    var attributes = element.attributes
    if let source = element["src"], ["img", "source"].contains(element.name) {
      guard let name = pictures.name(source) else {
        lostPictures += 1
        return
      }
      shown.insert(name)
      if element.name == "img" { imageCount += 1 }
      attributes = attributes.compactMap { attribute -> (name: String, value: String)? in
        switch attribute.name {
        case "src": return (name: "src", value: "./\(name)")
        case "srcset": return nil
        default: return attribute
        }
      }
    }
    if element.name.isEmpty { return write(element.children, isKept: false) }
    if RestoredArticle.voids.contains(element.name) {
      return writer.void(element.name, attributes: attributes)
    }
    writer.open(element.name, attributes: attributes)
    write(element.children, isKept: ["pre", "textarea"].contains(element.name))
    writer.close(element.name)
  }

  private mutating func writeMarked(_ element: ContentElement) {
    let start = text.count
    write(element.children, isKept: true)
    guard let id = element["data-annotation-id-value"], text.count > start else { return }
    let before = marks[id] ?? start..<text.count
    marks[id] = min(before.lowerBound, start)..<max(before.upperBound, text.count)
  }
}
