@testable import ArchiverMarkup

/// The names of SVG and MathML that are not in lower case. The tree has all names in lower case.
enum HTMLForeignNames {
  /// Returns the name of an element in its standard's spelling.
  static func element(_ name: String, in namespace: HTMLNamespace) -> String {
    namespace == .svg ? elements[name] ?? name : name
  }

  /// Returns the name of an attribute in its standard's spelling.
  static func attribute(_ name: String, in namespace: HTMLNamespace) -> String {
    switch namespace {
    case .html: name
    case .svg: attributes[name] ?? name
    case .mathML: name == "definitionurl" ? "definitionURL" : name
    }
  }

  /// Whether an attribute of a foreign element has a namespace, named by the part before the colon.
  static func hasNamespace(_ name: String) -> Bool { namespaced.contains(name) }

  private static let namespaced: Set<String> = [
    "xlink:actuate", "xlink:arcrole", "xlink:href", "xlink:role", "xlink:show", "xlink:title",
    "xlink:type", "xml:lang", "xml:space", "xmlns", "xmlns:xlink",
  ]

  private static func table(_ names: String) -> [String: String] {
    var table: [String: String] = [:]
    for name in names.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      table[name.lowercased()] = String(name)
    }
    return table
  }

  private static let elements = table(
    """
    altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath
    feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
    feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR
    feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight
    feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient
    radialGradient textPath
    """)

  private static let attributes = table(
    """
    attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits
    diffuseConstant edgeMode filterUnits glyphRef gradientTransform gradientUnits kernelMatrix
    kernelUnitLength keyPoints keySplines keyTimes lengthAdjust limitingConeAngle markerHeight
    markerUnits markerWidth maskContentUnits maskUnits numOctaves pathLength patternContentUnits
    patternTransform patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha
    preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur requiredExtensions
    requiredFeatures specularConstant specularExponent spreadMethod startOffset stdDeviation
    stitchTiles surfaceScale systemLanguage tableValues targetX targetY textLength viewBox
    viewTarget xChannelSelector yChannelSelector zoomAndPan
    """)
}
