import ArchiverCore

/// What a bundle links to and what leads to it.
package struct LinkRecord: Sendable, Hashable, Codable {
  /// What a link of the bundle is for.
  package struct Use: OptionSet, Sendable, Hashable, Codable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// It stands in the page.
    package static let shown = Use(rawValue: 1)
    /// Its target names the bundle among those that link to it.
    package static let named = Use(rawValue: 2)
    /// The page as written leads to another bundle.
    package static let local = Use(rawValue: 4)
    /// The item itself names the target, its parent included.
    package static let told = Use(rawValue: 8)
  }

  /// The texts of the addresses that lead to the item, its own name first.
  package var addresses: [String]
  /// By the `LinkAddress.key` of what is linked to.
  package var targets: [Int: Use]

  package init(addresses: [String], targets: [Int: Use]) {
    self.addresses = addresses
    self.targets = targets
  }
}

/// An archived item that links lead to or come from.
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
