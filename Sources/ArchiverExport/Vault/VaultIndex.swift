import ArchiverCore
import ArchiverStorage

/// The file and the attachments of each item in a vault. With the index, files keep their names when titles change.
struct VaultIndex: Codable, Equatable {
  struct Item: Codable, Equatable {
    /// The path relative to the vault.
    var file: String
    /// The SHA-256 hashes of images and other files, by path.
    var files: [String: String] = [:]
  }

  static let fileName = ".archiver-vault.json"
  static let format = 1

  var format = VaultIndex.format
  /// Items by `SOURCE/ID`.
  var items: [String: Item] = [:]

  static func key(_ key: ItemKey) -> String { "\(key.source)/\(key.id)" }

  /// Reads the index of a vault; an empty one if the file does not exist.
  static func read(_ vault: VaultFolder) throws(ExportError) -> VaultIndex {
    guard let bytes = try vault.bytes(fileName) else { return VaultIndex() }
    guard let index = try? JSONDecoder().decode(VaultIndex.self, from: Data(bytes)) else {
      throw ExportError(
        description:
          "\(vault.place(fileName)) is damaged; delete it, and the files are matched to their "
          + "items by their front matter")
    }
    guard index.format <= format else {
      throw ExportError(
        description: "\(vault.place(fileName)) is of a later version; update archiver")
    }
    return index
  }

  /// The encoded index; equal indexes give equal bytes.
  var bytes: [UInt8] {
    get throws(ExportError) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
      guard let data = try? encoder.encode(self) else {
        throw ExportError(description: "the vault's index cannot be written")
      }
      return Array(data) + [0x0A]
    }
  }

  /// Assigns a file to each item that has none yet, in the order in which they were archived.
  ///
  /// - Parameter owner: Returns the item that an existing file belongs to, by its front matter.
  mutating func name(
    _ items: [CatalogItem], by template: VaultName, owner: (String) throws(ExportError) -> Owner
  ) throws(ExportError) {
    var taken = Set(self.items.values.map { VaultIndex.folded($0.file) })
    let new = items.filter { self.items[VaultIndex.key($0.key)] == nil }.sorted {
      ($0.firstArchived, $0.folder) < ($1.firstArchived, $1.folder)
    }
    for item in new {
      let path = template.path(item)
      let id = VaultName.shortID(item)
      var file = ""
      for number in 0... {
        let suffix = number == 0 ? "" : number == 1 ? " \(id)" : " \(id)-\(number)"
        file = "\(path)\(suffix).md"
        guard !taken.contains(VaultIndex.folded(file)) else { continue }
        let owner = try owner(file)
        if owner == .nobody || owner == .item(VaultIndex.key(item.key)) { break }
      }
      taken.insert(VaultIndex.folded(file))
      self.items[VaultIndex.key(item.key)] = Item(file: file)
    }
  }

  /// The item to which a file belongs.
  enum Owner: Equatable {
    /// The file does not exist.
    case nobody
    case item(String)
    case someone
  }

  /// Returns a path for comparison: file systems may ignore case, and Swift compares strings by
  /// canonical equivalence.
  private static func folded(_ path: String) -> String {
    path.lowercased()
  }
}
