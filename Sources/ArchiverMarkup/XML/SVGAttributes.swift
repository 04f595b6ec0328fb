/// The permitted attributes of an SVG image except references, in the spelling of SVG.
///
/// An allow-list, because names in HTML ignore case: `hRef` is a reference too.
enum SVGAttributes {
  static let allowed = Set(
    [presentation, geometry, painting, effects].flatMap { $0.split(separator: " ") })

  private static let presentation =
    "id class style fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset "
    + "stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width opacity color "
    + "color-interpolation color-interpolation-filters color-rendering display visibility overflow "
    + "clip clip-path clip-rule mask filter flood-color flood-opacity lighting-color marker "
    + "marker-start marker-mid marker-end stop-color stop-opacity paint-order vector-effect "
    + "shape-rendering image-rendering text-rendering mix-blend-mode isolation transform "
    + "transform-origin font font-family font-size font-size-adjust font-stretch font-style "
    + "font-variant font-weight letter-spacing word-spacing text-anchor text-decoration "
    + "dominant-baseline alignment-baseline baseline-shift direction unicode-bidi writing-mode "
    + "glyph-orientation-vertical glyph-orientation-horizontal enable-background white-space "
    + "line-height role aria-label aria-hidden lang"

  private static let geometry =
    "x y x1 y1 x2 y2 dx dy cx cy r rx ry fx fy fr d points width height viewBox version "
    + "preserveAspectRatio rotate textLength lengthAdjust startOffset method spacing side "
    + "pathLength baseProfile"

  private static let painting =
    "offset gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits "
    + "patternTransform clipPathUnits maskUnits maskContentUnits mask-type markerWidth "
    + "markerHeight markerUnits refX refY orient zoomAndPan systemLanguage requiredExtensions "
    + "requiredFeatures type media"

  private static let effects =
    "in in2 result mode operator k1 k2 k3 k4 values stdDeviation edgeMode order kernelMatrix "
    + "divisor bias targetX targetY kernelUnitLength preserveAlpha surfaceScale diffuseConstant "
    + "specularConstant specularExponent scale xChannelSelector yChannelSelector radius seed "
    + "baseFrequency numOctaves stitchTiles azimuth elevation z pointsAtX pointsAtY pointsAtZ "
    + "limitingConeAngle tableValues slope intercept amplitude exponent filterUnits "
    + "primitiveUnits filterRes"
}
