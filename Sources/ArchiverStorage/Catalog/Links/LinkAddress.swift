package import ArchiverCore

/// A normalised URL, by which links and their targets are compared.
///
/// Scheme, `www.`, fragment, a trailing slash and query fields that only track readers are ignored;
/// everything else is significant.
package struct LinkAddress: Sendable, Hashable {
  package let text: String

  package init(_ url: WebURL) {
    var host = url.host[...]
    if host.hasPrefix("www."), host.dropFirst(4).contains(".") { host = host.dropFirst(4) }
    var text = "//" + host + (url.port.map { ":\($0)" } ?? "")
    var path = url.path[...]
    while path.hasSuffix("/") { path = path.dropLast() }
    text += path
    let fields = (url.query ?? "").split(separator: "&").filter { !LinkAddress.tracks($0) }
    if !fields.isEmpty { text += "?" + fields.joined(separator: "&") }
    self.text = text
  }

  /// Normalises a URL, in the form of its kind of source if one defines it.
  package init(_ url: WebURL, forms: [AdapterProperties.LinkForm]) {
    self.init(forms.lazy.compactMap { $0(url) }.first ?? url)
  }

  /// Creates an address from the `text` of another one.
  package init(text: String) {
    self.text = text
  }

  /// The address of an item, whatever its URLs.
  package init(item: ItemKey) {
    text = "item:\(item.source)/\(item.id)"
  }

  /// The common address of all items of a series of one source.
  package init(series name: String, of source: String) {
    text = "\(LinkAddress.series)\(source)/\(name)"
  }

  /// The prefix of addresses of series.
  package static let series = "series:"

  /// The 64-bit FNV-1a hash of the text. Two texts may share it, so a match must be confirmed.
  package var key: Int {
    var hash = FNV()
    for byte in text.utf8 { hash.add(byte) }
    return Int(truncatingIfNeeded: hash.value)
  }

  private static func tracks(_ field: Substring) -> Bool {
    let name = field.prefix { $0 != "=" }
    return name.hasPrefix("utm_") || ["fbclid", "gclid", "mc_cid", "mc_eid"].contains(name)
  }
}
