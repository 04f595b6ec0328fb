import ArchiverCore
import ArchiverStorage

/// What a vault remembers of its items: the file of each, and the files beside it. It keeps names as they
/// are when titles change.
struct VaultIndex: Codable, Equatable {
  struct Item: Codable, Equatable {
    /// Relative to the vault.
    var file: String
    /// Of pictures and other files, with their SHA-256.
    var files: [String: String] = [:]
  }

  static let fileName = ".archiver-vault.json"
  static let format = 1

  var format = VaultIndex.format
  /// By the source's name and the id, with a slash between them.
  var items: [String: Item] = [:]

  static func key(_ key: ItemKey) -> String { "\(key.source)/\(key.id)" }

  /// Reads the index of a vault; an empty one where there is none.
  static func read(_ vault: VaultFolder) throws(ExportError) -> VaultIndex {
    guard let bytes = try vault.bytes(fileName) else { return VaultIndex() }
    guard let index = try? JSONDecoder().decode(VaultIndex.self, from: Data(bytes)) else {
      throw ExportError(
        description:
          "\(vault.place(fileName)) is damaged; remove it, and the files find their items "
          + "again by their heads")
    }
    guard index.format <= format else {
      throw ExportError(
        description: "\(vault.place(fileName)) is of a later version; update archiver")
    }
    return index
  }

  /// The same values give the same bytes.
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

  /// Finds the file of each item, those that have one first, in the order in which they were archived.
  ///
  /// - Parameter owner: Returns the item that a file belongs to, by its head; `nil` if to none.
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

  /// Whose a file is.
  enum Owner: Equatable {
    /// There is no such file.
    case nobody
    case item(String)
    case someone
  }

  /// Names that some file systems take for the same are the same; strings are equal when they look alike.
  private static func folded(_ path: String) -> String {
    path.lowercased()
  }
}
