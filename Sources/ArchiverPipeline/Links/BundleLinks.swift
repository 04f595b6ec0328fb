import ArchiverCore
import ArchiverMarkup
import ArchiverSite
import ArchiverStorage

/// The links of one bundle: the addresses of its item, and the archived targets of its own links.
///
/// New and updated bundles come out the same, as both are made here; only parents and neighbours in a
/// series (`SeriesNeighbours`) are added by updates alone.
struct BundleLinks: Sendable {
  /// The maximum number of links of a page that are resolved; the others stay unchanged.
  static let limit = 50_000
  /// The maximum length of a list of linking pages.
  static let listLimit = 500

  let key: ItemKey
  let folder: String
  /// The texts of the item's addresses.
  let addresses: [String]
  let catalog: SQLiteCatalog
  /// Normalise the URLs of each kind's items.
  let forms: [AdapterProperties.LinkForm]
  /// Classes of links that show the title of their target.
  let titleClasses: Set<String>

  init(key: ItemKey, folder: String, addresses: [String], archive: Archive) {
    self.key = key
    self.folder = folder
    self.addresses = addresses
    catalog = archive.catalog
    forms = archive.linkForms
    titleClasses = archive.titleClasses
  }

  /// Returns the texts of an item's addresses.
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
      // Its neighbours are updated if its position changes.
      texts.append("\(LinkAddress(item: key).text)#\(place.mark)")
    }
    return texts
  }

  /// Returns a body with links to archived items made local, a record of its links, and whether a
  /// link was given another title. No link of the input may be local.
  ///
  /// - Parameter renames: Whether links that show titles get those of the catalog. A page that was just fetched has newer ones.
  func localised(
    _ body: [UInt8]?, links: [ItemLink], renames: Bool = false
  ) throws(StorageError) -> (body: [UInt8]?, record: LinkRecord, isRetitled: Bool) {
    var record = LinkRecord(addresses: addresses, targets: [:])
    var places: [String: LinkedItem] = [:]
    for link in LinkRewriter.links(in: body ?? []).prefix(BundleLinks.limit) {
      let address = LinkAddress(link.url, forms: forms)
      if record.targets[address.key] == nil {
        let target = try catalog.linkTarget(address, preferring: key.source) ?? itself(address)
        places[address.text] = target
        record.targets[address.key] = target == nil ? .shown : [.shown, .local]
      }
      // A source that reports its own relations knows better which links on the page are
      // meaningful.
      if links.isEmpty { record.targets[address.key]?.insert(.named) }
    }
    // The page shows its neighbours, which are added once those published with it are visible.
    for text in addresses where text.hasPrefix(LinkAddress.series) {
      record.targets[LinkAddress(text: text).key] = .shown
    }
    for link in links {
      let target = LinkAddress(item: ItemKey(source: key.source, id: link.target))
      record.targets[target.key, default: []].formUnion(
        link.kind == .parent ? [.shown, .told, .parent] : [.named, .told])
    }
    guard let body, !places.isEmpty else { return (body, record, false) }
    let named = renames ? LinkRewriter.retitled(body, titleClasses) { title($0, places) } : body
    let local = LinkRewriter.rewrite(named) { url in
      places[LinkAddress(url, forms: forms).text].flatMap { path(to: $0, url) }
    }
    return (local, record, named != body)
  }

  /// Returns the pages that link to the bundle.
  func backlinks() throws(StorageError) -> [ReadingPageContent.Link] {
    try catalog.linkSources(addresses, except: key, limit: BundleLinks.listLimit)
      .map(BundleLinks.link)
  }

  /// Returns the pages that contain the item.
  func parents() throws(StorageError) -> [ReadingPageContent.Link] {
    try catalog.parents(of: key).map(BundleLinks.link)
  }

  private static func link(_ item: LinkedItem) -> ReadingPageContent.Link {
    ReadingPageContent.Link(path: "../../\(item.folder)/index.html", title: item.title)
  }

  /// Returns the title of an item whose URL names it by id; a part of it has a name of its own.
  private func title(_ url: WebURL, _ places: [String: LinkedItem]) -> String? {
    let address = LinkAddress(url, forms: forms).text
    guard let target = places[address], address.hasSuffix(target.key.id), !target.title.isEmpty
    else { return nil }
    return target.title
  }

  private func itself(_ address: LinkAddress) -> LinkedItem? {
    addresses.contains(address.text) ? LinkedItem(key: key, folder: folder, title: "") : nil
  }

  /// A link to this page itself keeps its URL: it leads to the original.
  private func path(to target: LinkedItem, _ url: WebURL) -> String? {
    let url = forms.lazy.compactMap { $0(url) }.first ?? url
    let anchor = url.fragment.flatMap { PageAnchor.id(of: $0) }.map { "#" + $0 }
    if target.key == key { return anchor }
    return "../../\(target.folder)/index.html" + (anchor ?? "")
  }
}
