/// The permitted properties and functions of a book's style.
enum StyleVocabulary {
  static let fontDescriptors: Set<String> = [
    "font-family", "src", "font-style", "font-weight", "font-stretch", "unicode-range",
    "font-display", "font-variant", "font-feature-settings", "font-variation-settings",
    "size-adjust", "ascent-override", "descent-override", "line-gap-override",
  ]

  static let counterDescriptors: Set<String> = [
    "system", "symbols", "additive-symbols", "negative", "prefix", "suffix", "range", "pad",
    "fallback", "speak-as",
  ]

  /// Properties whose values may refer to a file of the book.
  static let mayRefer: Set<String> = [
    "src", "background", "background-image", "list-style", "list-style-image", "content",
    "border-image", "border-image-source", "shape-outside", "mask", "mask-image",
    "mask-border", "mask-border-source", "symbols", "--",
  ]

  /// Properties whose values may refer to a part of a drawing on the page.
  static let mayNameParts: Set<String> = [
    "fill", "stroke", "clip-path", "mask", "filter", "marker", "marker-start", "marker-mid",
    "marker-end",
  ]

  static let functions: Set<String> = [
    // Colours
    "rgb", "rgba", "hsl", "hsla", "hwb", "lab", "lch", "oklab", "oklch", "color", "color-mix",
    "light-dark",
    // Numbers
    "calc", "min", "max", "clamp", "round", "mod", "rem", "abs", "sign", "sin", "cos", "tan",
    "asin", "acos", "atan", "atan2", "pow", "sqrt", "hypot", "log", "exp", "minmax", "repeat",
    "fit-content", "calc-size",
    // Values from elsewhere on the page
    "var", "env", "attr", "counter", "counters", "symbols", "format", "local", "tech",
    // Shapes and transforms
    "rect", "inset", "xywh", "circle", "ellipse", "polygon", "path", "matrix", "matrix3d",
    "translate", "translatex", "translatey", "translatez", "translate3d", "rotate", "rotatex",
    "rotatey", "rotatez", "rotate3d", "scale", "scalex", "scaley", "scalez", "scale3d", "skew",
    "skewx", "skewy", "perspective",
    // Pictures
    "linear-gradient", "radial-gradient", "conic-gradient", "repeating-linear-gradient",
    "repeating-radial-gradient", "repeating-conic-gradient", "blur", "brightness", "contrast",
    "drop-shadow", "grayscale", "hue-rotate", "invert", "opacity", "saturate", "sepia",
    // Fonts
    "stylistic", "styleset", "character-variant", "swash", "ornaments", "annotation",
  ]

  /// Properties whose values are a width, a style and a colour.
  static let borders: Set<String> = [
    "border", "border-top", "border-right", "border-bottom", "border-left", "border-block",
    "border-block-start", "border-block-end", "border-inline", "border-inline-start",
    "border-inline-end", "column-rule", "outline",
  ]

  /// The words in a border's declaration that are not colours.
  static let lines: Set<String> = [
    "none", "hidden", "dotted", "dashed", "solid", "double", "groove", "ridge", "inset", "outset",
    "thin", "medium", "thick", "currentcolor", "transparent", "inherit", "initial", "unset",
    "revert", "important", "auto",
  ]

  static let colors: Set<String> = words(
    """
    accent-color background background-attachment background-blend-mode background-clip
    background-color background-image background-origin background-position background-position-x
    background-position-y background-repeat background-size border-block-color
    border-block-end-color border-block-start-color border-bottom-color border-color
    border-inline-color border-inline-end-color border-inline-start-color border-left-color
    border-right-color border-top-color box-shadow caret-color color column-rule-color
    outline-color text-decoration-color text-emphasis-color text-shadow
    """)

  static let properties: Set<String> = colors.union(
    words(
      """
      align-content align-items align-self alignment-baseline appearance aspect-ratio
      backface-visibility baseline-shift baseline-source block-size border border-block
      border-block-end border-block-end-style border-block-end-width border-block-start
      border-block-start-style border-block-start-width border-block-style border-block-width
      border-bottom border-bottom-left-radius border-bottom-right-radius border-bottom-style
      border-bottom-width border-collapse border-end-end-radius border-end-start-radius
      border-image border-image-outset border-image-repeat border-image-slice border-image-source
      border-image-width border-inline border-inline-end border-inline-end-style
      border-inline-end-width border-inline-start border-inline-start-style
      border-inline-start-width border-inline-style border-inline-width border-left
      border-left-style border-left-width border-radius border-right border-right-style
      border-right-width border-spacing border-start-end-radius border-start-start-radius
      border-style border-top border-top-left-radius border-top-right-radius border-top-style
      border-top-width border-width bottom box-decoration-break box-sizing break-after
      break-before break-inside caption-side clear clip clip-path clip-rule color-adjust
      color-scheme column-count column-fill column-gap column-rule column-rule-style
      column-rule-width column-span column-width columns contain-intrinsic-size container
      container-name container-type content counter-increment counter-reset counter-set cx cy d
      direction display dominant-baseline empty-cells fill fill-opacity fill-rule filter flex
      flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap float flood-color
      flood-opacity font font-family font-feature-settings font-kerning font-language-override
      font-optical-sizing font-palette font-size font-size-adjust font-stretch font-style
      font-synthesis font-synthesis-small-caps font-synthesis-style font-synthesis-weight
      font-variant font-variant-alternates font-variant-caps font-variant-east-asian
      font-variant-emoji font-variant-ligatures font-variant-numeric font-variant-position
      font-variation-settings font-weight forced-color-adjust gap grid grid-area
      grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end
      grid-column-gap grid-column-start grid-gap grid-row grid-row-end grid-row-gap
      grid-row-start grid-template grid-template-areas grid-template-columns grid-template-rows
      hanging-punctuation height hyphenate-character hyphenate-limit-chars hyphens
      image-orientation image-rendering initial-letter inline-size inset inset-block
      inset-block-end inset-block-start inset-inline inset-inline-end inset-inline-start
      isolation justify-content justify-items justify-self left letter-spacing line-break
      line-height line-height-step list-style list-style-image list-style-position
      list-style-type margin margin-block margin-block-end margin-block-start margin-bottom
      margin-inline margin-inline-end margin-inline-start margin-left margin-right margin-top
      margin-trim marker marker-end marker-mid marker-start mask mask-border mask-border-source
      mask-clip mask-composite mask-image mask-mode mask-origin mask-position mask-repeat
      mask-size mask-type math-depth math-shift math-style max-block-size max-height
      max-inline-size max-width min-block-size min-height min-inline-size min-width
      mix-blend-mode object-fit object-position opacity order orphans outline outline-offset
      outline-style outline-width overflow overflow-clip-margin overflow-wrap overflow-x
      overflow-y padding padding-block padding-block-end padding-block-start padding-bottom
      padding-inline padding-inline-end padding-inline-start padding-left padding-right
      padding-top page-break-after page-break-before page-break-inside paint-order perspective
      perspective-origin place-content place-items place-self position print-color-adjust quotes
      r resize right rotate row-gap ruby-align ruby-merge ruby-overhang ruby-position rx ry scale
      shape-image-threshold shape-margin shape-outside shape-rendering stop-color stop-opacity
      stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit
      stroke-opacity stroke-width tab-size table-layout text-align text-align-all
      text-align-last text-anchor text-autospace text-box text-combine-upright text-decoration
      text-decoration-line text-decoration-skip text-decoration-skip-ink text-decoration-style
      text-decoration-thickness text-emphasis text-emphasis-position text-emphasis-style
      text-indent text-justify text-orientation text-overflow text-rendering text-spacing-trim
      text-transform text-underline-offset text-underline-position text-wrap text-wrap-mode
      text-wrap-style top transform transform-box transform-origin transform-style translate
      unicode-bidi vector-effect vertical-align visibility white-space white-space-collapse
      widows width word-break word-spacing word-wrap writing-mode x y z-index zoom
      """))

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}
