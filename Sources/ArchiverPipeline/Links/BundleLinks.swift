import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// The links of one bundle: what leads to it, and where in the archive its own lead.
///
/// A bundle written first and one mended later come out the same, because both go through here; its
/// neighbours in a series alone are put in by mending (`SeriesNeighbours`).
struct BundleLinks: Sendable {
  /// Most links of a page that are followed; those beyond stay as they are.
  static let limit = 50_000
  /// Most pages in a list of those that link to one.
  static let listLimit = 500

  let key: ItemKey
  let folder: String
  /// The texts of the addresses that lead to the item.
  let addresses: [String]
  let catalog: SQLiteCatalog
  /// What makes one of the several addresses that an item of a kind has.
  let forms: [AdapterProperties.LinkForm]
  /// Classes of links that show the title of what they lead to.
  let titleClasses: Set<String>

  init(key: ItemKey, folder: String, addresses: [String], archive: Archive) {
    self.key = key
    self.folder = folder
    self.addresses = addresses
    catalog = archive.catalog
    forms = archive.linkForms
    titleClasses = archive.titleClasses
  }

  /// Returns the texts of the addresses that lead to an item.
  static func addresses(
    of key: ItemKey, _ metadata: ItemMetadata, further: [String],
    _ forms: [AdapterProperties.LinkForm]
  ) -> [String] {
    var texts = [LinkAddress(item: key).text]
    for address in [metadata.url].compactMap(\.self) + further {
      guard let url = WebURL(address) else { continue }
      let text = LinkAddress(url, forms: forms).text
      if !texts.contains(text) { texts.append(text) }
    }
    if let place = SeriesPlace(metadata) {
      texts.append(LinkAddress(series: place.name, of: key.source).text)
      // Its neighbours are mended when its place changes.
      texts.append("\(LinkAddress(item: key).text)#\(place.mark)")
    }
    return texts
  }

  /// Returns a body, in which no link is local yet, with those to archived items leading to them,
  /// and what the bundle links to.
  ///
  /// - Parameter renames: whether links that show titles show those of the catalog. A page that was just
  ///   fetched has newer ones.
  func localised(
    _ body: [UInt8]?, links: [ItemLink], renames: Bool = false
  ) throws(StorageError) -> (body: [UInt8]?, record: LinkRecord) {
    var record = LinkRecord(addresses: addresses, targets: [:])
    var places: [String: LinkedItem] = [:]
    for link in LinkRewriter.links(in: body ?? []).prefix(BundleLinks.limit) {
      let address = LinkAddress(link.url, forms: forms)
      if record.targets[address.key] == nil {
        let target = try catalog.linkTarget(address, preferring: key.source) ?? itself(address)
        places[address.text] = target
        record.targets[address.key] = target == nil ? .shown : [.shown, .local]
      }
      // What names its links itself knows better which of those on its page mean something.
      if links.isEmpty { record.targets[address.key]?.insert(.named) }
    }
    // The page shows its neighbours, which are put in when those that arrive with it are there.
    for text in addresses where text.hasPrefix(LinkAddress.series) {
      record.targets[LinkAddress(text: text).key] = .shown
    }
    for link in links {
      let target = LinkAddress(item: ItemKey(source: key.source, id: link.target))
      record.targets[target.key, default: []].formUnion(
        link.kind == .parent ? .told : [.named, .told])
    }
    guard let body, !places.isEmpty else { return (body, record) }
    let named = renames ? LinkRewriter.retitled(body, titleClasses) { title($0, places) } : body
    let local = LinkRewriter.rewrite(named) { url in
      places[LinkAddress(url, forms: forms).text].flatMap { path(to: $0, url) }
    }
    return (local, record)
  }

  /// Returns the pages that link to the bundle.
  func backlinks() throws(StorageError) -> [ReadingPageContent.Link] {
    let found = try catalog.linkSources(addresses, except: key, limit: BundleLinks.listLimit)
    return found.map {
      ReadingPageContent.Link(path: "../../\($0.folder)/index.html", title: $0.title)
    }
  }

  /// The title of an item that an address names by its id; that of a part of it has a name of its own.
  private func title(_ url: WebURL, _ places: [String: LinkedItem]) -> String? {
    let address = LinkAddress(url, forms: forms).text
    guard let target = places[address], address.hasSuffix(target.key.id), !target.title.isEmpty
    else { return nil }
    return target.title
  }

  private func itself(_ address: LinkAddress) -> LinkedItem? {
    addresses.contains(address.text) ? LinkedItem(key: key, folder: folder, title: "") : nil
  }

  /// A link to the whole of this page keeps its address: it is where the original is watched or read.
  private func path(to target: LinkedItem, _ url: WebURL) -> String? {
    let url = forms.lazy.compactMap { $0(url) }.first ?? url
    let anchor = url.fragment.flatMap { PageAnchor.id(of: $0) }.map { "#" + $0 }
    if target.key == key { return anchor }
    return "../../\(target.folder)/index.html" + (anchor ?? "")
  }
}
