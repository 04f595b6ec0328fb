import ArchiverCore

/// Which of too many versions go.
///
/// The oldest always stays, as the text that the item began with. Of the others those go first that have
/// nothing of their own; those whose page a person edited go last; between them, the newest and the one that
/// is being added apart, those that are nearest
/// in time to their neighbours, measured by their age, so that recent versions are close together and old
/// ones further apart.
struct VersionThinning {
  /// A version as far as it matters here.
  struct Version {
    let name: String
    /// Seconds since 1970; 0 where the name is no time.
    let time: Double
    /// The same for versions made from the same text; like no other's where the page was edited.
    let content: String
    /// Digests of its files beside its page and records, and of its highlights and comments.
    let parts: Set<String>
    /// Whether a person edited its page.
    var isEdited = false
  }

  /// Newest first.
  private(set) var versions: [Version]
  /// The name of the version that is being added, if one is.
  let added: String?

  /// Lets versions go until no more than `limit` are left, or only those that always stay.
  mutating func thin(to limit: Int) {
    while versions.count > limit, let index = leastValuable() { versions.remove(at: index) }
  }

  private func leastValuable() -> Int? {
    let candidates = versions.indices.dropLast()
    if let index = candidates.last(where: { hasNothingOfItsOwn($0) }) { return index }
    return candidates.filter { $0 > 0 && versions[$0].name != added }.min {
      let (one, other) = (versions[$0].isEdited, versions[$1].isEdited)
      return one == other ? distance($0) < distance($1) : other
    }
  }

  private func hasNothingOfItsOwn(_ index: Int) -> Bool {
    versions.indices.contains { other in
      other != index && versions[other].content == versions[index].content
        && versions[index].parts.isSubset(of: versions[other].parts)
    }
  }

  /// How far apart the neighbours of a version are, against its age.
  private func distance(_ index: Int) -> Double {
    let age = versions[0].time - versions[index].time
    return (versions[index - 1].time - versions[index + 1].time) / (max(0, age) + 3600)
  }
}

extension VersionThinning.Version {
  /// Reads a version of a bundle; `folder` is where it is, or the bundle that becomes it.
  init(_ name: String, at folder: Folder) throws(StorageError) {
    self.name = name
    let style = Date.ISO8601FormatStyle(
      dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted)
    time = (try? style.parse(String(name.prefix(16))))?.timeIntervalSince1970 ?? 0
    let list = try ChecksumList(ifReadableIn: folder)
    // Without a record that can be read, or with a page edited by hand, it is like no other.
    let isAsWritten = try Self.pageDigest(folder) == list?[BundlePath.page]
    var record = isAsWritten ? try ItemRecord(ifReadableIn: folder) : nil
    isEdited = !isAsWritten || record?.isEdited == true
    if isEdited { record = nil }
    content = record.map { String($0.contentHash.prefix(32)) } ?? name
    let files = list?.digests.filter { $0.key.contains("/") }.values.map { $0 } ?? []
    parts = Set(files + (record?.remarks ?? []))
  }

  /// `nil` where there is no page.
  private static func pageDigest(_ folder: Folder) throws(StorageError) -> String? {
    guard try folder.status(BundlePath.page)?.kind == .file else { return nil }
    return try OpenFile.reading(BundlePath.page, in: folder).digest().sha256
  }
}
