/// The element names with parsing rules. The raw value is also the name's number in `HTMLNames`;
/// all other names are `.other`.
enum HTMLTag: UInt8, CaseIterable {
  case a, address, annotationXML, applet, area, article, aside, b, base, basefont, bgsound, big
  case blockquote, body, br, button, caption, center, circle, code, col, colgroup, dd, desc
  case details, dialog, dir, div, dl, dt, em, embed, fieldset, figcaption, figure, font, footer
  case foreignobject, form, frame, frameset, g, h1, h2, h3, h4, h5, h6, head, header, hgroup, hr
  case html, i, iframe, image, img, input, keygen, li, link, listing, main, malignmark, marquee
  case math, menu, meta, mglyph, mi, mn, mo, ms, mtext, nav, nobr, noembed, noframes, noscript
  case object, ol, optgroup, option, p, param, path, plaintext, pre, rb, rp, rt, rtc, ruby, s
  case script, search, section, select, small, source, span, strike, strong, style, sub, summary
  case sup, svg, table, tbody, td, template, textarea, tfoot, th, thead, title, tr, track, tt, u
  case ul, `var`, wbr, xmp
  case other

  /// The tag for a name's number.
  init(name: Int32) {
    self =
      name < Int32(HTMLTag.other.rawValue)
      ? HTMLTag(rawValue: UInt8(truncatingIfNeeded: name)) ?? .other : .other
  }

  var name: String { self == .annotationXML ? "annotation-xml" : String(describing: self) }

  /// Whether an HTML element with this name is in the standard's category "special".
  var isSpecial: Bool {
    switch self {
    case .address, .applet, .area, .article, .aside, .base, .basefont, .bgsound, .blockquote,
      .body, .br, .button, .caption, .center, .col, .colgroup, .dd, .details, .dir, .div, .dl,
      .dt, .embed, .fieldset, .figcaption, .figure, .footer, .form, .frame, .frameset, .h1, .h2,
      .h3, .h4, .h5, .h6, .head, .header, .hgroup, .hr, .html, .iframe, .img, .input, .keygen,
      .li, .link, .listing, .main, .marquee, .menu, .meta, .nav, .noembed, .noframes, .noscript,
      .object, .ol, .p, .param, .plaintext, .pre, .script, .search, .section, .select, .source,
      .style, .summary, .table, .tbody, .td, .template, .textarea, .tfoot, .th, .thead, .title,
      .tr, .track, .ul, .wbr, .xmp:
      true
    default: false
    }
  }

  /// Whether an HTML element with this name ends the search for an element "in scope".
  var isScopeMarker: Bool {
    switch self {
    case .applet, .caption, .html, .table, .td, .th, .marquee, .object, .select, .template: true
    default: false
    }
  }

  /// Whether the element's end tag is implied where its parent ends.
  var hasImpliedEnd: Bool {
    switch self {
    case .dd, .dt, .li, .optgroup, .option, .p, .rb, .rp, .rt, .rtc: true
    default: false
    }
  }

  /// Like `hasImpliedEnd`, with the parts of a table.
  var hasThoroughlyImpliedEnd: Bool {
    switch self {
    case .caption, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr: true
    default: hasImpliedEnd
    }
  }

  var isHeading: Bool {
    switch self {
    case .h1, .h2, .h3, .h4, .h5, .h6: true
    default: false
    }
  }

  /// Whether it may contain parts of a table only, so that text is foster-parented.
  var isTablePart: Bool {
    switch self {
    case .table, .tbody, .tfoot, .thead, .tr: true
    default: false
    }
  }

  /// Whether a start tag with this name ends foreign content.
  var leavesForeignContent: Bool {
    switch self {
    case .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed,
      .h1, .h2, .h3, .h4, .h5, .h6, .head, .hr, .i, .img, .li, .listing, .menu, .meta, .nobr,
      .ol, .p, .pre, .ruby, .s, .small, .span, .strong, .strike, .sub, .sup, .table, .tt, .u,
      .ul, .var:
      true
    default: false
    }
  }
}
