import ArchiverCore

/// Decides which versions to remove if there are too many.
///
/// The oldest always stays, as the text that the item began with. Of the others, those without
/// content of their own are removed first, then those of whose text another version has nearly all (a
/// property changed, a typo was corrected), and those whose page a person edited last. In between,
/// except the newest and the one being added, those nearest in time to their neighbours relative to
/// their age are removed first, so that recent versions are close together and old ones further
/// apart.
struct VersionThinning {
  /// The properties of a version that decide.
  struct Version {
    let name: String
    /// Seconds since 1970; 0 if the name is not a time.
    let time: Double
    /// Equal for versions made from the same text; unique if the page was edited.
    let content: String
    /// The digests of its files other than page and records, and of its highlights and comments.
    let parts: Set<String>
    /// Whether a person edited its page.
    var isEdited = false
    /// Hashes of the words of its text; empty if they are not known.
    var words: Set<UInt64> = []
  }

  /// A version is nearly repeated by another one if at most one in this many of its words is missing there.
  private static let wordsForOne = 50

  /// The versions, newest first.
  private(set) var versions: [Version]
  /// The name of the version being added, if any.
  let added: String?

  /// Removes versions until at most `limit` are left, or only those that always stay.
  mutating func thin(to limit: Int) {
    while versions.count > limit, let index = leastValuable() { versions.remove(at: index) }
  }

  private func leastValuable() -> Int? {
    let candidates = versions.indices.dropLast()
    if let index = candidates.last(where: { hasNothingOfItsOwn($0) }) { return index }
    let inner = candidates.filter { $0 > 0 && versions[$0].name != added }
    if let index = inner.last(where: { isNearlyRepeated($0) }) { return index }
    return inner.min {
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

  private func isNearlyRepeated(_ index: Int) -> Bool {
    let version = versions[index]
    guard !version.isEdited, !version.words.isEmpty else { return false }
    return versions.indices.contains { other in
      guard other != index, version.parts.isSubset(of: versions[other].parts) else { return false }
      let own = version.words.subtracting(versions[other].words).count
      return own * VersionThinning.wordsForOne <= version.words.count
    }
  }

  /// Returns the distance between the neighbours of a version, relative to its age.
  private func distance(_ index: Int) -> Double {
    let age = versions[0].time - versions[index].time
    return (versions[index - 1].time - versions[index + 1].time) / (max(0, age) + 3600)
  }
}

extension VersionThinning.Version {
  /// Reads a version of a bundle. `folder` is the version's directory, or the bundle that becomes
  /// it.
  init(_ name: String, at folder: Folder) throws(StorageError) {
    self.name = name
    let style = Date.ISO8601FormatStyle(
      dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted)
    time = (try? style.parse(String(name.prefix(16))))?.timeIntervalSince1970 ?? 0
    let list = try ChecksumList(ifReadableIn: folder)
    // A version without a readable record, or with an edited page, equals no other.
    let isAsWritten = try Self.pageDigest(folder) == list?[BundlePath.page]
    var record = isAsWritten ? try ItemRecord(ifReadableIn: folder) : nil
    isEdited = !isAsWritten || record?.isEdited == true
    if isEdited { record = nil }
    content = record.map { String($0.contentHash.prefix(32)) } ?? name
    let files = list?.digests.filter { $0.key.contains("/") }.values.map { $0 } ?? []
    parts = Set(files + (record?.remarks ?? []))
    words = isEdited ? [] : try Self.words(folder)
  }

  /// The largest page whose words are compared, in bytes.
  private static let pageLimit = 4_000_000

  /// Returns the `PageWords` of the page's body. Empty if they cannot be determined: the version
  /// then nearly repeats no other and is kept by its age.
  private static func words(_ folder: Folder) throws(StorageError) -> Set<UInt64> {
    guard let status = try folder.status(BundlePath.page), status.kind == .file,
      status.byteCount <= pageLimit
    else { return [] }
    let page = try OpenFile.reading(BundlePath.page, in: folder).readAll()
    guard let start = page.firstIndex(of: "<!--body-->"),
      let end = page.firstIndex(of: "<!--/body-->", from: start)
    else { return [] }
    return PageWords.hashes(page[start..<end])
  }

  /// Returns the digest of the page; `nil` if there is no page.
  private static func pageDigest(_ folder: Folder) throws(StorageError) -> String? {
    guard try folder.status(BundlePath.page)?.kind == .file else { return nil }
    return try OpenFile.reading(BundlePath.page, in: folder).digest().sha256
  }
}
