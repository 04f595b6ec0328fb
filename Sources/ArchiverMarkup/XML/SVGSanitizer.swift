import ArchiverCore
import CXML2

/// Makes an SVG image static: without scripts, animation elements and external references. Of
/// foreign content the text is kept.
package enum SVGSanitizer {
  private static let svg = "http://www.w3.org/2000/svg"
  private static let xlink = "http://www.w3.org/1999/xlink"
  private static let xml = "http://www.w3.org/XML/1998/namespace"

  /// The permitted elements of an SVG image.
  package static let elements: Set<String> = [
    "svg", "g", "defs", "symbol", "use", "switch", "path", "rect", "circle", "ellipse", "line",
    "polyline", "polygon", "text", "tspan", "textPath", "title", "desc", "linearGradient",
    "radialGradient", "stop", "pattern", "clipPath", "mask", "marker", "image", "a", "style",
    "filter", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite",
    "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap", "feDistantLight",
    "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur",
    "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight", "feSpecularLighting",
    "feSpotLight", "feTile", "feTurbulence",
  ]

  private static let longestChain = 250

  /// What a caller knows and wants to know about an image.
  package struct Surroundings {
    /// Returns the raster image of a reference to a file as a `data:` URL; `nil` to leave it out.
    package var image: (String) -> String?
    /// Called with the name of each permitted or unknown element of SVG that is left out, `image` for an
    /// image that is not found.
    package var leftOut: (String) -> Void
    /// Whether the image is within another one.
    fileprivate var isNested = false

    package init(
      image: @escaping (String) -> String? = { _ in nil },
      leftOut: @escaping (String) -> Void = { _ in }
    ) {
      self.image = image
      self.leftOut = leftOut
    }
  }

  /// Returns the image as UTF-8 XML with permitted elements and attributes only; `nil` if it is not
  /// well-formed SVG, or if a browser would draw without end.
  package static func sanitize(
    _ bytes: [UInt8], in surroundings: Surroundings = Surroundings()
  ) -> [UInt8]? {
    guard bytes.count <= 20 << 20, let bytes = XMLEntities.expanded(bytes) else { return nil }
    do throws(MarkupError) {
      let document = try XMLDocument(bytes)
      guard let root = document.root, root.name == "svg",
        root.namespace == svg || root.namespace == nil, SVGExpansion.isWithinLimit(root)
      else { return nil }
      var output = Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".utf8)
      write(root.node, surroundings, isRoot: true, depth: 0, &output)
      return output
    } catch {
      return nil
    }
  }

  /// Whether a short file is an SVG image that draws nothing: such images hold the place of one that a
  /// script would load.
  package static func isBlank(_ bytes: [UInt8]) -> Bool {
    guard bytes.count < 1_000, ImageFormat(prefix: bytes) == .svg, let clean = sanitize(bytes)
    else { return false }
    // The declaration, and the root's two tags.
    return clean.count { $0 == 0x3C } == 3
  }

  private static func write(
    _ node: xmlNodePtr, _ surroundings: Surroundings, isRoot: Bool = false, depth: Int,
    _ output: inout [UInt8]
  ) {
    let name = String(cString: node.pointee.name)
    let space = node.pointee.ns?.pointee.href.map { String(cString: $0) }
    if name == "foreignObject", space == svg || space == nil {
      if !hasAlternative(node) { output += SVGForeignText.markup(node) }
      return
    }
    guard space == svg || space == nil else { return }
    guard elements.contains(name), depth < longestChain else {
      // Metadata is not visible.
      if name != "metadata" { surroundings.leftOut(name) }
      return
    }
    if name == "style" { return writeStyle(node, &output) }
    // Links do not work in an image shown by `img`. Text does not draw a group.
    let tag = name != "a" ? name : isInText(node) ? "tspan" : "g"
    output += "<\(tag)".utf8
    if isRoot { output += " xmlns=\"\(svg)\" xmlns:xlink=\"\(xlink)\"".utf8 }
    writeAttributes(node, tag, surroundings, &output)
    output.append(0x3E)
    let whole = name == "text" ? SVGForeignText.content(ofAlternative: node) : nil
    output += whole ?? []
    var next = whole == nil ? node.pointee.children : nil
    while let child = next {
      switch child.pointee.type {
      case XML_ELEMENT_NODE: write(child, surroundings, depth: depth + 1, &output)
      case XML_TEXT_NODE, XML_CDATA_SECTION_NODE: writeText(child, &output)
      default: break
      }
      next = child.pointee.next
    }
    output += "</\(tag)>".utf8
  }

  /// Whether the parent of a link, or of the links around it, is text.
  private static func isInText(_ link: xmlNodePtr) -> Bool {
    var parent = link.pointee.parent
    while let node = parent, node.pointee.type == XML_ELEMENT_NODE {
      let name = String(cString: node.pointee.name)
      if name != "a" { return ["text", "tspan", "textPath"].contains(name) }
      parent = node.pointee.parent
    }
    return false
  }

  /// Whether a `switch` has an alternative to an element.
  private static func hasAlternative(_ node: xmlNodePtr) -> Bool {
    guard let parent = node.pointee.parent, parent.pointee.type == XML_ELEMENT_NODE,
      String(cString: parent.pointee.name) == "switch"
    else { return false }
    var next = node.pointee.next
    while let sibling = next {
      if sibling.pointee.type == XML_ELEMENT_NODE { return true }
      next = sibling.pointee.next
    }
    return false
  }

  private static func writeText(_ node: xmlNodePtr, _ output: inout [UInt8]) {
    guard let content = node.pointee.content else { return }
    for byte in UnsafeBufferPointer(start: content, count: Int(xmlStrlen(content))) {
      output.appendEscapedText(byte)
    }
  }

  private static func writeStyle(_ node: xmlNodePtr, _ output: inout [UInt8]) {
    guard let content = xmlNodeGetContent(node) else { return }
    defer { cxml2_free(content) }
    let css = SVGStyle.filtered(String(cString: content))
    guard !css.allSatisfy(\.isWhitespace) else { return }
    output += "<style>".utf8
    for byte in css.utf8 { output.appendEscapedText(byte) }
    output += "</style>".utf8
  }

  private static func writeAttributes(
    _ node: xmlNodePtr, _ element: String, _ surroundings: Surroundings,
    _ output: inout [UInt8]
  ) {
    var next = node.pointee.properties
    while let attribute = next {
      next = attribute.pointee.next
      let name = String(cString: attribute.pointee.name)
      let space = attribute.pointee.ns?.pointee.href.map { String(cString: $0) }
      let value = xmlNodeListGetString(node.pointee.doc, attribute.pointee.children, 1)
      defer { if let value { cxml2_free(value) } }
      var text = value.map { String(cString: $0) } ?? ""
      if element == "image", name == "href", let drawing = nestedDrawing(text) {
        if let clean = surroundings.nested(drawing) {
          output.appendAttribute(space == xlink ? "xlink:href" : "href", clean)
        } else {
          surroundings.leftOut(element)
        }
        continue
      }
      if element == "image", name == "href", !isLocal(text, element), !text.isEmpty {
        if let image = surroundings.image(text) {
          text = image
        } else {
          surroundings.leftOut(element)
        }
      }
      if let written = accepted(name, space, text, element) {
        let isReference = name == "href" && !text.hasPrefix("#")
        output.appendAttribute(written, isReference ? InlineImage.canonical(text) ?? "" : text)
      }
    }
  }

  /// Returns the name with which an attribute is written; `nil` if it is dropped.
  package static func accepted(
    _ name: String, _ space: String?, _ value: String, _ element: String
  ) -> String? {
    if name == "href" {
      guard space == nil || space == xlink, isLocal(value, element) else { return nil }
      return space == xlink ? "xlink:href" : "href"
    }
    if space == xml { return name == "space" || name == "lang" ? "xml:\(name)" : nil }
    guard space == nil, SVGAttributes.allowed.contains(name[...]), isStatic(value) else {
      return nil
    }
    return name
  }

  private static func isLocal(_ value: String, _ element: String) -> Bool {
    if value.hasPrefix("#") { return true }
    guard element == "image", let address = InlineImage.canonical(value) else { return false }
    return !address.hasPrefix("data:image/svg")
  }

  /// Returns the bytes of an SVG image in the address of an `image` element; `nil` for another address.
  /// Diagram editors write icons this way.
  static func nestedDrawing(_ address: String) -> [UInt8]? {
    guard let image = InlineImage.canonical(address).flatMap(InlineImage.decode),
      image.mediaType == ImageFormat.svg.mediaType
    else { return nil }
    return image.bytes
  }

  /// Whether a style or presentation attribute refers to fragments of the image only.
  static func isStatic(_ value: String) -> Bool {
    let text = value.lowercased().filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
    // An escape could spell any of the words searched for here.
    guard !text.contains("\\"), !text.contains("/*"), !text.contains("expression("),
      !text.contains("javascript:"), !text.contains("image-set("), !text.contains("src(")
    else { return false }
    return text.split(separator: "url(", omittingEmptySubsequences: false).dropFirst()
      .allSatisfy { $0.hasPrefix("#") }
  }
}

extension SVGSanitizer.Surroundings {
  /// Returns an SVG image for use in this one, as a `data:` URL; `nil` if it is refused or further
  /// down than one level.
  fileprivate func nested(_ bytes: [UInt8]) -> String? {
    guard !isNested else { return nil }
    var inner = self
    inner.isNested = true
    return SVGSanitizer.sanitize(bytes, in: inner).map {
      "data:image/svg+xml;base64," + Data($0).base64EncodedString()
    }
  }
}
