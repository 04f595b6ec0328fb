import ArchiverCore

/// The addresses of a bundle's item, and the links of its page.
package struct LinkRecord: Sendable, Hashable, Codable {
  /// The uses of a link.
  package struct Use: OptionSet, Sendable, Hashable, Codable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The page shows it.
    package static let shown = Use(rawValue: 1)
    /// The target's page lists the bundle among the pages that link to it.
    package static let named = Use(rawValue: 2)
    /// The page as written links to another bundle.
    package static let local = Use(rawValue: 4)
    /// The item itself reports the relation, including that to its parent.
    package static let told = Use(rawValue: 8)
    /// Its target contains the item.
    package static let parent = Use(rawValue: 16)
  }

  /// The texts of the item's addresses, its own name first.
  package var addresses: [String]
  /// The uses of each link, by the `LinkAddress.key` of its target.
  package var targets: [Int: Use]

  package init(addresses: [String], targets: [Int: Use]) {
    self.addresses = addresses
    self.targets = targets
  }
}

/// An archived item that is the source or target of links.
package struct LinkedItem: Sendable, Hashable {
  package let key: ItemKey
  package let folder: String
  package let title: String

  package init(key: ItemKey, folder: String, title: String) {
    self.key = key
    self.folder = folder
    self.title = title
  }
}
