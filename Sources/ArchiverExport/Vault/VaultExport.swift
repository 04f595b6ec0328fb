import ArchiverCore
import ArchiverMarkup
package import ArchiverSite
package import ArchiverStorage

/// Exports items as a folder of Markdown files for note-taking programs, and updates it.
///
/// A file has a managed region between two markers. What the user writes around it stays. A region
/// or front matter that the user changed stays too and is reported.
package struct VaultExport {
  package struct Outcome: Sendable {
    package var written: [String] = []
    package var unchanged = 0
    /// Files whose managed region or front matter the user changed.
    package var edited: [String] = []
    /// Files whose markers are missing or duplicated.
    package var unmarked: [String] = []
    /// Removed files of items that are not selected.
    package var removed: [String] = []
    /// Files of items that are not selected, which were kept.
    package var stale: [String] = []
    package var copied = 0
    /// Images and other files that the user replaced.
    package var keptFiles: [String] = []
    /// The number of links whose targets are neither in the vault nor on the web.
    package var lostLinks = 0
    /// Items that could not be written, and the reasons.
    package var failed: [(folder: String, reason: String)] = []
  }

  private let root: String
  private let vault: VaultFolder
  private let name: VaultName
  private let words: Words
  private let hasChapters: Bool
  private let isDry: Bool

  /// Exports from the archive at `root`.
  ///
  /// - Parameters:
  ///   - folder: The vault, which is created if it does not exist.
  ///   - name: The template for the names of new files.
  ///   - hasChapters: Whether the chapters of books are written too.
  ///   - isDry: Whether only the outcome is computed.
  package init(
    root: String, folder: String, name: VaultName, words: Words, hasChapters: Bool = false,
    isDry: Bool = false
  ) {
    self.root = root
    vault = VaultFolder(root: folder)
    self.name = name
    self.words = words
    self.hasChapters = hasChapters
    self.isDry = isDry
  }

  /// Writes the files of these items that changed.
  ///
  /// - Parameters:
  ///   - archived: All items of the archive, for links to items outside the vault.
  ///   - prunes: Whether to remove files of other items that the user did not edit.
  package func write(
    _ items: [CatalogItem], archived: [CatalogItem], prunes: Bool
  ) throws -> Outcome {
    var outcome = Outcome()
    var index = try VaultIndex.read(vault)
    let before = index
    try index.name(items, by: name) { (file) throws(ExportError) in try owner(of: file) }
    let chosen = Set(items.map { VaultIndex.key($0.key) })
    for (key, entry) in index.items.sorted(by: { $0.key < $1.key }) where !chosen.contains(key) {
      try settle(entry, of: key, prunes: prunes, &index, &outcome)
    }
    let directory = directory(archived, index)
    for item in items {
      try Task.checkCancellation()
      let key = VaultIndex.key(item.key)
      guard var entry = index.items[key] else { continue }
      do {
        try write(item, to: &entry, directory, &outcome)
        index.items[key] = entry
      } catch {
        guard error.isOfItem else { throw error }
        outcome.failed.append((item.folder, error.description))
      }
    }
    if !isDry, index != before || !vault.exists(VaultIndex.fileName) {
      try vault.write(try index.bytes, to: VaultIndex.fileName)
    }
    return outcome
  }

  private func directory(_ archived: [CatalogItem], _ index: VaultIndex) -> VaultPage.Directory {
    var directory = VaultPage.Directory()
    for item in archived {
      if let entry = index.items[VaultIndex.key(item.key)] {
        directory.files[item.folder] = entry.file
      } else if let url = item.metadata.url, url.hasPrefix("http") {
        directory.originals[item.folder] = url
      }
    }
    return directory
  }

  private func write(
    _ item: CatalogItem, to entry: inout VaultIndex.Item, _ directory: VaultPage.Directory,
    _ outcome: inout Outcome
  ) throws(ExportError) {
    let files: BundleFiles
    let page: VaultPage
    let chapters: VaultChapters?
    do {
      files = try BundleFiles(root: root, item: item)
      let isBook = hasChapters && item.metadata.kind == .book
      chapters = isBook ? VaultChapters(files, root: root) : nil
      page = try VaultPage(
        files, file: entry.file, directory: directory, chapters: chapters, words: words)
    } catch {
      throw ExportError(description: "\(error)", isOfItem: true)
    }
    outcome.lostLinks += page.lostLinks
    let text = VaultText(facts: FrontMatter(item), region: page.region)
    let old = try vault.bytes(entry.file).map { String(decoding: $0, as: UTF8.self) }
    guard let change = old.map({ text.merged(into: $0) }) ?? VaultText.Change(text: text.whole)
    else {
      outcome.unmarked.append(entry.file)
      return
    }
    // A kept region may link to files of its previous state, so remove none.
    if change.keepsRegion || change.keepsFacts { outcome.edited.append(entry.file) }
    if !change.keepsRegion {
      var parts = Parts(needed: page.needed)
      if let chapters { try write(chapters, of: files, entry, directory, &parts, &outcome) }
      try copy(parts, of: files, to: &entry, &outcome)
    }
    if change.text == old {
      outcome.unchanged += 1
    } else {
      if !isDry { try vault.write(Array(change.text.utf8), to: entry.file) }
      outcome.written.append(entry.file)
    }
  }

  /// The parts of an item besides its file.
  private struct Parts {
    /// The bundle's files, with their paths in the vault.
    var needed: [String: String]
    /// The hashes of chapters, by path in the vault.
    var chapters: [String: String] = [:]
  }

  /// Writes the chapters of a book that changed. One that cannot be converted leaves its last state.
  private func write(
    _ chapters: VaultChapters, of files: BundleFiles, _ entry: VaultIndex.Item,
    _ directory: VaultPage.Directory, _ parts: inout Parts, _ outcome: inout Outcome
  ) throws(ExportError) {
    if let failure = chapters.failure {
      outcome.failed.append(("\(files.item.folder)/\(VaultChapters.contentsPath)", failure))
    }
    for path in chapters.paths {
      guard let target = chapters.targets[path] else { continue }
      let last = entry.files[target]
      let text: VaultChapters.Text
      do {
        text = try chapters.text(path, book: entry.file, directory)
      } catch {
        outcome.failed.append(("\(files.item.folder)/\(path)", error.description))
        parts.chapters[target] = last
        continue
      }
      parts.needed.merge(text.needed) { one, _ in one }
      outcome.lostLinks += text.lostLinks
      let hash = Digest.sha256Hex(text.bytes)
      parts.chapters[target] = hash
      guard try isOutdated(target, hash, last, &outcome) else { continue }
      if !isDry { try vault.write(text.bytes, to: target) }
      outcome.copied += 1
    }
  }

  /// Copies the files that an item needs, and removes those that it no longer needs.
  private func copy(
    _ parts: Parts, of files: BundleFiles, to entry: inout VaultIndex.Item, _ outcome: inout Outcome
  ) throws(ExportError) {
    var known = parts.chapters
    let hashes = Dictionary(
      (files.record?.assets ?? []).map { ($0.path, $0.sha256) }, uniquingKeysWith: { one, _ in one }
    )
    for (path, target) in parts.needed.sorted(by: { $0.key < $1.key }) {
      let hash = hashes[path] ?? Digest.sha256Hex(files.bytes(path) ?? [])
      known[target] = hash
      guard try isOutdated(target, hash, entry.files[target], &outcome) else { continue }
      if !isDry { try vault.copy(files.file(path), to: target) }
      outcome.copied += 1
    }
    for (target, hash) in entry.files.sorted(by: { $0.key < $1.key }) where known[target] == nil {
      try remove(target, hash, &outcome)
    }
    entry.files = known
  }

  /// Whether a file of the vault must be written. One that the user changed is kept and counted.
  ///
  /// - Parameters:
  ///   - hash: The SHA-256 of the new content.
  ///   - last: The hash of what was written last.
  private func isOutdated(
    _ target: String, _ hash: String, _ last: String?, _ outcome: inout Outcome
  ) throws(ExportError) -> Bool {
    if last == hash, vault.exists(target) { return false }
    guard let bytes = try vault.bytes(target) else { return true }
    let found = Digest.sha256Hex(bytes)
    if found != hash, found != last { outcome.keptFiles.append(target) }
    return found != hash && found == last
  }

  private func remove(
    _ target: String, _ hash: String, _ outcome: inout Outcome
  ) throws(ExportError) {
    guard let bytes = try vault.bytes(target) else { return }
    if Digest.sha256Hex(bytes) != hash {
      outcome.keptFiles.append(target)
    } else if !isDry {
      try vault.remove(target)
    }
  }

  /// Removes or keeps the file of an item that is not selected.
  private func settle(
    _ entry: VaultIndex.Item, of key: String, prunes: Bool, _ index: inout VaultIndex,
    _ outcome: inout Outcome
  ) throws(ExportError) {
    guard let bytes = try vault.bytes(entry.file) else {
      if prunes, !isDry { index.items[key] = nil }
      return
    }
    guard prunes, VaultText.isUntouched(String(decoding: bytes, as: UTF8.self)) else {
      outcome.stale.append(entry.file)
      return
    }
    outcome.removed.append(entry.file)
    guard !isDry else { return }
    try vault.remove(entry.file)
    for (target, hash) in entry.files.sorted(by: { $0.key < $1.key }) {
      try remove(target, hash, &outcome)
    }
    index.items[key] = nil
  }

  /// Returns the item that a file belongs to, by its front matter.
  private func owner(of file: String) throws(ExportError) -> VaultIndex.Owner {
    guard let bytes = try vault.bytes(file) else { return .nobody }
    var facts: [String: String] = [:]
    for line in String(decoding: bytes.prefix(8_000), as: UTF8.self).split(
      whereSeparator: \.isNewline)
    {
      for key in ["source", "id"] where line.hasPrefix("\(key): ") {
        let value = line.dropFirst(key.utf8.count + 2)
        facts[key] = facts[key] ?? String(value.filter { $0 != "\"" })
      }
    }
    guard let source = facts["source"], let id = facts["id"] else { return .someone }
    return .item("\(source)/\(id)")
  }
}
