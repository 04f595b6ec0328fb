package import ArchiverCore

/// The data of sources' accounts besides items: `.archiver/accounts/SOURCE.json`.
extension Archive {
  /// An account's data, as delivered by the source.
  package struct AccountData: Codable, Sendable, Hashable {
    /// The kind of source.
    package let kind: String
    /// The result of `Source.accountRecord`.
    package let account: JSONValue

    package init(kind: String, account: JSONValue) {
      self.kind = kind
      self.account = account
    }
  }

  /// Returns the stored data of a source's account; `nil` if the file is missing or unreadable.
  package func account(of source: String) throws(StorageError) -> AccountData? {
    guard let folder = try control.folderIfPresent(ArchiveLayout.accounts) else { return nil }
    let name = "\(source).json"
    guard try folder.status(name) != nil else { return nil }
    let bytes = try OpenFile.reading(name, in: folder).readAll()
    return try? ForeignJSON.decode(AccountData.self, from: Data(bytes))
  }

  /// Stores the data of a source's account. Writes nothing if they are unchanged.
  package func store(_ data: AccountData, of source: String) throws(StorageError) {
    guard try account(of: source) != data else { return }
    if try control.status(ArchiveLayout.accounts) == nil {
      try fileSystem.makeFolder(ArchiveLayout.accounts, in: control, mode: 0o700)
    }
    try replace(
      "\(source).json", in: try control.folder(ArchiveLayout.accounts), by: data,
      [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes], "the data of an account")
  }
}
