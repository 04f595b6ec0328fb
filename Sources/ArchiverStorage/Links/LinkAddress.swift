package import ArchiverCore

/// An address in the form in which links and what they lead to are compared.
///
/// Scheme, `www.`, fragment, a slash at the end and query fields that only track readers make no
/// difference; everything else does.
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

  /// Takes the form that the kind of a source gives the address, when it is one of its own.
  package init(_ url: WebURL, forms: [AdapterProperties.LinkForm]) {
    self.init(forms.lazy.compactMap { $0(url) }.first ?? url)
  }

  /// Takes a text that another of these had.
  package init(text: String) {
    self.text = text
  }

  /// Stands for an item whatever its address.
  package init(item: ItemKey) {
    text = "item:\(item.source)/\(item.id)"
  }

  /// Stands for all items of a series of one source, which have it in common.
  package init(series name: String, of source: String) {
    text = "\(LinkAddress.series)\(source)/\(name)"
  }

  /// How addresses of series begin.
  package static let series = "series:"

  /// FNV-1a of the text in 64 bits. Two texts may share one, so a match is only a suspicion.
  package var key: Int {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    return Int(truncatingIfNeeded: hash)
  }

  private static func tracks(_ field: Substring) -> Bool {
    let name = field.prefix { $0 != "=" }
    return name.hasPrefix("utm_") || ["fbclid", "gclid", "mc_cid", "mc_eid"].contains(name)
  }
}
