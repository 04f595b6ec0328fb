import ArchiverCore
import CXML2

/// Makes SVG images valid in books without a change of their look.
///
/// EPUB 3.3 requires that ids are XML names and occur once, and that references lead to an id. The
/// schema of SVG 1.1, which many checkers of books apply, also requires the geometry of shapes and
/// permits no graphics inside them.
package enum BookDrawing {
  /// Returns a valid copy of a sanitised image as UTF-8 XML; `nil` if it needs no change or is not
  /// well-formed.
  package static func make(_ bytes: [UInt8]) -> [UInt8]? {
    // An image that cannot be parsed is exported as it is.
    guard let document = try? XMLDocument(bytes), let root = document.root else { return nil }
    var repair = DrawingRepair()
    repair.removeUndrawn(root.node)
    repair.collect(root.node)
    repair.apply(root.node)
    guard repair.changes > 0, let tree = root.node.pointee.doc else { return nil }
    var text: UnsafeMutablePointer<xmlChar>?
    var count: Int32 = 0
    xmlDocDumpMemoryEnc(tree, &text, &count, "UTF-8")
    guard let text else { return nil }
    defer { cxml2_free(text) }
    return Array(UnsafeBufferPointer(start: text, count: Int(count)))
  }
}

/// Changes the tree of one image.
private struct DrawingRepair {
  /// The attributes that SVG 1.1 requires, with values that draw what their absence draws. As
  /// presentation attributes they yield to style sheets.
  private static let required = [
    "rect": ["width", "height"], "circle": ["r"], "ellipse": ["rx", "ry"], "line": [],
    "path": ["d"], "polygon": ["points"], "polyline": ["points"], "stop": ["offset"],
  ]
  private static let listed: Set<String> = ["d", "points"]
  private static let shapes = Set(required.keys).subtracting(["stop"])
  /// The permitted content of shapes; browsers draw no other.
  private static let descriptive: Set<String> = ["title", "desc"]

  private(set) var changes = 0
  /// The first element with each id.
  private var owners: [String: xmlNodePtr] = [:]
  /// The last number behind each new name that was taken.
  private var numbers: [String: Int] = [:]
  /// New ids for those that are not XML names.
  private var renamed: [String: String] = [:]

  /// Elements with text.
  private static let textual: Set<String> = ["text", "tspan", "textPath", "title", "desc", "style"]

  /// Removes what browsers do not draw: graphics inside shapes, and text outside of text elements.
  mutating func removeUndrawn(_ root: xmlNodePtr) {
    removeText(below: root)
    remove(below: root) { element in
      guard let parent = element.pointee.parent, parent.pointee.type == XML_ELEMENT_NODE else {
        return false
      }
      return DrawingRepair.shapes.contains(String(cString: parent.pointee.name))
        && !DrawingRepair.descriptive.contains(String(cString: element.pointee.name))
    }
  }

  private mutating func removeText(below root: xmlNodePtr) {
    var removed: [xmlNodePtr] = []
    DrawingRepair.forEachElement(root) { element in
      guard !DrawingRepair.textual.contains(String(cString: element.pointee.name)) else {
        return true
      }
      var next = element.pointee.children
      while let child = next {
        if child.pointee.type == XML_TEXT_NODE, xmlIsBlankNode(child) == 0 { removed.append(child) }
        next = child.pointee.next
      }
      return true
    }
    changes += removed.count
    for text in removed {
      xmlUnlinkNode(text)
      xmlFreeNode(text)
    }
  }

  private mutating func remove(below root: xmlNodePtr, where isRemoved: (xmlNodePtr) -> Bool) {
    var removed: [xmlNodePtr] = []
    DrawingRepair.forEachElement(root) { element in
      guard isRemoved(element) else { return true }
      removed.append(element)
      return false
    }
    changes += removed.count
    for element in removed {
      xmlUnlinkNode(element)
      xmlFreeNode(element)
    }
  }

  /// Finds the ids of an element and its descendants.
  mutating func collect(_ node: xmlNodePtr) {
    var invalid: [String] = []
    DrawingRepair.forEachElement(node) { element in
      guard let id = DrawingRepair.value("id", element), owners[id] == nil else {
        return true
      }
      owners[id] = element
      if xmlValidateNCName(id, 0) != 0 { invalid.append(id) }
      return true
    }
    for id in invalid { renamed[id] = unusedName(id) }
  }

  /// Returns a name like an id that no element has.
  private mutating func unusedName(_ id: String) -> String {
    let characters = id.unicodeScalars.map { scalar in
      scalar.properties.isXIDContinue || "-.".unicodeScalars.contains(scalar)
        ? Character(scalar) : "_"
    }
    let base = "_" + String(characters)
    let name = xmlValidateNCName(base, 0) == 0 ? base : "_id"
    var candidate = name
    while owners[candidate] != nil {
      numbers[name, default: 1] += 1
      candidate = "\(name)-\(numbers[name, default: 1])"
    }
    owners[candidate] = owners[id]
    return candidate
  }

  /// Changes an element and its descendants.
  mutating func apply(_ root: xmlNodePtr) {
    DrawingRepair.forEachElement(root) { element in
      let name = String(cString: element.pointee.name)
      for attribute in DrawingRepair.required[name] ?? []
      where DrawingRepair.value(attribute, element) == nil {
        // A radius of an ellipse that is missing is the other (SVG 2, 10.4).
        let other = attribute == "rx" ? "ry" : attribute == "ry" ? "rx" : nil
        let value = other.flatMap { DrawingRepair.value($0, element) }
        xmlSetProp(
          element, attribute, value ?? (DrawingRepair.listed.contains(attribute) ? "" : "0"))
        changes += 1
      }
      if name == "svg", let version = DrawingRepair.value("version", element),
        !["1.0", "1.1", "1.2"].contains(version)
      {
        xmlUnsetProp(element, "version")
        changes += 1
      }
      dropDeadReferences(of: element)
      setId(of: element)
      if !renamed.isEmpty { rewriteReferences(of: element, isSheet: name == "style") }
      return true
    }
  }

  /// Removes references to ids that no element has. A paint without a target is its fallback or none
  /// (SVG 2, 13.2).
  private mutating func dropDeadReferences(of element: xmlNodePtr) {
    var next = element.pointee.properties
    while let attribute = next {
      next = attribute.pointee.next
      guard let found = xmlNodeListGetString(element.pointee.doc, attribute.pointee.children, 1)
      else { continue }
      defer { cxml2_free(found) }
      let name = String(cString: attribute.pointee.name)
      let text = String(cString: found)
      if name == "href", text.hasPrefix("#") {
        let id = String(text.dropFirst())
        if owners[id] != nil || owners[PercentEncoding.decoded(id)] != nil { continue }
        xmlRemoveProp(attribute)
      } else if text.hasPrefix("url("), let reference = FragmentReferences.paint(text) {
        if owners[reference.id] != nil || owners[PercentEncoding.decoded(reference.id)] != nil {
          continue
        }
        if name == "fill" || name == "stroke" {
          xmlSetProp(element, name, reference.fallback.isEmpty ? "none" : reference.fallback)
        } else {
          xmlRemoveProp(attribute)
        }
      } else {
        continue
      }
      changes += 1
    }
  }

  private mutating func setId(of element: xmlNodePtr) {
    guard let id = DrawingRepair.value("id", element) else { return }
    if owners[id] != element {
      xmlUnsetProp(element, "id")
      changes += 1
    } else if let name = renamed[id] {
      xmlSetProp(element, "id", name)
      changes += 1
    }
  }

  private func rewriteReferences(of element: xmlNodePtr, isSheet: Bool) {
    var next = element.pointee.properties
    while let attribute = next {
      next = attribute.pointee.next
      let name = String(cString: attribute.pointee.name)
      guard name != "id",
        let found = xmlNodeListGetString(element.pointee.doc, attribute.pointee.children, 1)
      else { continue }
      defer { cxml2_free(found) }
      let text = String(cString: found)
      let written = name == "href" ? fragment(text) : FragmentReferences.renamed(text, renamed)
      if written != text { xmlSetNsProp(element, attribute.pointee.ns, name, written) }
    }
    guard isSheet, let found = xmlNodeGetContent(element) else { return }
    defer { cxml2_free(found) }
    let sheet = String(cString: found)
    let written = FragmentReferences.renamed(sheet, renamed)
    guard written != sheet, let text = xmlNewDocText(element.pointee.doc, written) else { return }
    while let child = element.pointee.children {
      xmlUnlinkNode(child)
      xmlFreeNode(child)
    }
    xmlAddChild(element, text)
  }

  private func fragment(_ address: String) -> String {
    guard address.hasPrefix("#") else { return address }
    let id = String(address.dropFirst())
    return (renamed[id] ?? renamed[PercentEncoding.decoded(id)]).map { "#" + $0 } ?? address
  }

  /// Visits an element and its descendants in document order, without those below an element for
  /// which `visit` returns `false`.
  private static func forEachElement(_ root: xmlNodePtr, _ visit: (xmlNodePtr) -> Bool) {
    var pending = [root]
    while let node = pending.popLast() {
      guard visit(node) else { continue }
      var next = node.pointee.last
      while let child = next {
        if child.pointee.type == XML_ELEMENT_NODE { pending.append(child) }
        next = child.pointee.prev
      }
    }
  }

  private static func value(_ attribute: String, _ element: xmlNodePtr) -> String? {
    guard let found = xmlGetNoNsProp(element, attribute) else { return nil }
    defer { cxml2_free(found) }
    return String(cString: found)
  }
}

/// References to ids in styles: `url(#a)` and the selector `#a`.
private enum FragmentReferences {
  /// Returns the text with other ids in its references.
  static func renamed(_ text: String, _ names: [String: String]) -> String {
    var parts = text.split(separator: "#", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return text }
    for index in parts.indices.dropFirst() {
      let before = parts[index - 1].reversed().drop { $0 == "\"" || $0 == "'" || $0 == " " }
      let isAddress = before.starts(with: "url(".reversed())
      let (id, rest) = isAddress ? address(parts[index]) : selector(parts[index])
      if let name = names[id] ?? (isAddress ? names[PercentEncoding.decoded(id)] : nil) {
        parts[index] = Substring(name + rest)
      }
    }
    return parts.joined(separator: "#")
  }

  /// Returns the id of a value that begins with `url(#`, and the text after the parenthesis; `nil`
  /// for other values.
  static func paint(_ value: String) -> (id: String, fallback: String)? {
    let inner = value.dropFirst(4).drop { $0 == " " || $0 == "\"" || $0 == "'" }
    guard inner.first == "#", let end = inner.firstIndex(of: ")") else { return nil }
    let fallback = inner[end...].dropFirst().drop { $0 == " " }
    return (address(inner.dropFirst()).id, String(fallback))
  }

  /// Splits text behind `url(#` at the end of the id.
  private static func address(_ text: Substring) -> (id: String, rest: Substring) {
    let id = text.prefix { $0 != ")" && $0 != "\"" && $0 != "'" }
    let end = id.lastIndex { $0 != " " }.map(id.index(after:)) ?? id.startIndex
    return (String(id[..<end]), text[end...])
  }

  /// Splits text behind the `#` of a selector at the end of the identifier, whose escapes are
  /// decoded (CSS Syntax 3, 4.3.7).
  private static func selector(_ text: Substring) -> (id: String, rest: Substring) {
    var id = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "\\" {
        rest.removeFirst()
        let digits = rest.prefix(6).prefix { $0.properties.isASCIIHexDigit }
        if let code = UInt32(String(digits), radix: 16) {
          rest = rest[digits.endIndex...]
          if rest.first == " " { rest.removeFirst() }
          id.append(Unicode.Scalar(code) ?? "\u{FFFD}")
        } else if let escaped = rest.popFirst() {
          id.append(escaped)
        }
      } else if scalar.properties.isXIDContinue || scalar == "-" {
        // A digit at the beginning makes it a colour.
        if id.isEmpty, ("0"..."9").contains(scalar) { break }
        id.append(scalar)
        rest.removeFirst()
      } else {
        break
      }
    }
    return (String(id), Substring(rest))
  }
}
