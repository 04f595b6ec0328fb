import ArchiverCore

/// Decides how URLs in attributes are handled.
struct ReferenceResolver {
  /// What relative references are resolved against.
  let base: WebURL?
  private var cache: [String: String?] = [:]
  /// Scheme, host and port of the base, as in a URL.
  private let origin: String?

  init(base: WebURL?) {
    self.base = base
    origin = base.map { base in
      "\(base.scheme)://\(base.host)" + (base.port.map { ":\($0)" } ?? "")
    }
  }

  /// What an `href` leads to.
  enum Link: Equatable {
    case external(String)
    /// `mailto:`, `doi:` and the like (`LinkScheme`).
    case contact(String)
    /// An id in the fragment.
    case internalAnchor(String)
  }

  mutating func link(_ raw: String) -> Link? {
    let text = ReferenceResolver.cleaned(raw)
    if text.hasPrefix("#") {
      return SafeIdentifier.id(String(text.dropFirst())).map { .internalAnchor($0) }
    }
    if ReferenceResolver.isNormal(text) { return .external(text) }
    let reference = asBrowsersRead(text)
    switch ReferenceResolver.scheme(reference) {
    case nil, "http", "https": return resolve(reference).map { .external($0) }
    case .some(let scheme):
      return LinkScheme.isInert(scheme) && reference.utf8.count > scheme.utf8.count + 1
        ? .contact(reference) : nil
    }
  }

  /// Returns an absolute http or https address.
  mutating func web(_ raw: String) -> String? {
    let text = ReferenceResolver.cleaned(raw)
    guard !text.isEmpty, !text.hasPrefix("#") else { return nil }
    if ReferenceResolver.isNormal(text) { return text }
    let reference = asBrowsersRead(text)
    switch ReferenceResolver.scheme(reference) {
    case nil, "http", "https": return resolve(reference)
    default: return nil
    }
  }

  /// Returns an absolute http or https address or a `data:` image.
  mutating func image(_ raw: String) -> String? {
    if raw.utf8.count < 4096 || !raw.hasPrefix("data:") {
      if let address = web(raw) { return address }
    }
    return InlineImage.canonical(raw)
  }

  private mutating func resolve(_ text: String) -> String? {
    if let origin, ReferenceResolver.isNormalPath(text) { return origin + text }
    if let known = cache[text] { return known }
    let address = base.map { $0.resolving(text) } ?? WebURL(text)
    let result = address?.absoluteString
    cache[text] = .some(result)
    return result
  }

  /// Returns a web reference in the form that browsers give it (URL Standard section 4.4): a backslash
  /// in front of the query is a slash, and any number of slashes may follow `http:`.
  private func asBrowsersRead(_ text: String) -> String {
    let scheme = ReferenceResolver.scheme(text) ?? ""
    guard scheme.isEmpty || scheme == "http" || scheme == "https" else { return text }
    var text = text
    if text.utf8.contains(0x5C) {
      var isPath = true
      let bytes = text.utf8.map { byte -> UInt8 in
        if byte == 0x3F || byte == 0x23 { isPath = false }
        return byte == 0x5C && isPath ? 0x2F : byte
      }
      text = String(decoding: bytes, as: UTF8.self)
    }
    guard !scheme.isEmpty else { return text }
    let rest = text.utf8.dropFirst(scheme.utf8.count + 1)
    let slashes = rest.prefix { $0 == 0x2F }.count
    if slashes == 2 { return text }
    let address = String(decoding: rest.dropFirst(slashes), as: UTF8.self)
    // With the scheme of the page, it is relative to the page.
    if slashes < 2, scheme == base?.scheme { return slashes == 1 ? "/" + address : address }
    return "\(scheme)://\(address)"
  }

  /// Returns the address without control characters and without white space around it.
  static func cleaned(_ raw: String) -> String {
    if raw.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) { return raw }
    var bytes = raw.utf8.filter { $0 >= 0x20 && $0 != 0x7F }
    while bytes.last == 0x20 { bytes.removeLast() }
    return String(decoding: bytes.drop { $0 == 0x20 }, as: UTF8.self)
  }

  /// Returns the scheme in lower case (RFC 3986 section 3.1); `nil` for a relative reference.
  static func scheme(_ text: String) -> String? {
    var scheme = [UInt8]()
    for byte in text.utf8 {
      switch byte {
      case 0x61...0x7A, 0x41...0x5A: scheme.append(byte | 0x20)
      case 0x30...0x39, 0x2B, 0x2D, 0x2E:
        if scheme.isEmpty { return nil }
        scheme.append(byte)
      case 0x3A: return scheme.isEmpty ? "" : String(decoding: scheme, as: UTF8.self)
      case 0x2F, 0x3F, 0x23: return nil
      default:
        // Anything else before a colon is not a relative path either; it is dropped.
        return text.utf8.prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }.contains(0x3A) ? "" : nil
      }
    }
    return nil
  }

  /// Whether an address is certainly in `WebURL`'s normal form, which saves parsing it.
  static func isNormal(_ text: String) -> Bool {
    var rest: Substring.UTF8View
    if text.hasPrefix("https://") {
      rest = text.dropFirst(8).utf8
    } else if text.hasPrefix("http://") {
      rest = text.dropFirst(7).utf8
    } else {
      return false
    }
    let host = rest.prefix {
      (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2E
    }
    rest = rest.dropFirst(host.count)
    guard let first = host.first, (0x61...0x7A).contains(first), rest.first == 0x2F else {
      return false
    }
    return rest.allSatisfy(isUnremarkable)
  }

  /// Whether a reference is an absolute path that needs no more than the origin before it.
  private static func isNormalPath(_ text: String) -> Bool {
    var last: UInt8 = 0
    for byte in text.utf8 {
      if last == 0 ? byte != 0x2F : last == 0x2F && (byte == 0x2E || byte == 0x2F) { return false }
      guard isUnremarkable(byte) else { return false }
      last = byte
    }
    return last != 0
  }

  private static func isUnremarkable(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x2D, 0x2E, 0x2F, 0x5F, 0x7E, 0x3D, 0x26, 0x3F, 0x2B, 0x2C, 0x40, 0x21, 0x3B, 0x24: true
    default: false
    }
  }
}
