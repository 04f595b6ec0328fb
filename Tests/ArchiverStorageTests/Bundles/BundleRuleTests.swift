import ArchiverCore
import Testing

@testable import ArchiverStorage

/// Rules for the paths, lists, names and records of bundles.
struct BundleRuleTests {
  @Test func `a path has at most 1024 bytes, and each of its components 255`() {
    func path(_ counts: Int...) -> String {
      counts.map { String(repeating: "a", count: $0) }.joined(separator: "/")
    }
    #expect(BundlePath.isAllowed(path(204, 204, 204, 204, 204)))
    #expect(!BundlePath.isAllowed(path(204, 204, 204, 204, 205)))
    #expect(BundlePath.isAllowed(path(1, 255)))
    #expect(!BundlePath.isAllowed(path(1, 256)))
  }

  @Test(arguments: ["assets/versions", "a.", "a/b./c", "a/SHA256SUMS", "0-9_a.Z"])
  func `only the first component is reserved, and only a dot before a name`(path: String) {
    #expect(BundlePath.isAllowed(path))
  }

  @Test(arguments: [
    ("a b.txt", true), (" ", true), ("é", true), ("a\\b", false), ("a\nb", false),
    ("\u{1F}", false), ("\u{7F}", false), ("~", true),
  ])
  func `a list of checksums holds names that sha256sum does not escape`(
    name: String, canHold: Bool
  ) {
    #expect(ChecksumList.canHold(name) == canHold)
  }

  @Test func `a checksum is of a text or a binary file, and its name may be one letter`() throws {
    let digests = ["one", "two"].map { Digest.sha256Hex($0) }
    let list = try ChecksumList(
      Array("\(digests[0])  a\n\(digests[1]) *b\n".utf8), path: "SHA256SUMS")
    #expect(list.digests == ["a": digests[0], "b": digests[1]])
  }

  @Test func `a word and its hyphen are kept together as far as they fit`() {
    let start = String(repeating: "w", count: 58)
    #expect(FolderName.slug(start + " more") == start + "-m")
    #expect(FolderName.slug(start + "x more") == start + "x")
    #expect(FolderName.slug("a\u{20DD}b") == "ab", "a circle around a letter is no part of it")
  }

  @Test func `the third version of a second has a number of its own`() {
    let first = "20250615T150640Z"
    #expect(VersionPlan.name(Sample.now, unlike: ["x"]) == first)
    #expect(VersionPlan.name(Sample.now, unlike: [first]) == first + "-2")
    #expect(VersionPlan.name(Sample.now, unlike: [first, first + "-2"]) == first + "-3")
  }

  @Test func `every address of an asset gives it`() {
    let object = StoredObject(sha256: Digest.sha256Hex("a"), byteCount: 1)
    let asset = CachedAsset(url: "https://a.example/", object: object, mediaType: "image/png")
    var file = ItemRecord.Asset(path: "assets/a.png", asset: asset)
    file.urls = ["https://b.example/", "https://c.example/"]
    let record = ItemRecord(
      Sample.item("a"), kind: "readeck", assets: [file], addresses: ["https://d.example/"],
      generator: "test")
    #expect(
      record.cachedAssets.map(\.url)
        == ["https://a.example/", "https://b.example/", "https://c.example/"])
    #expect(record.cachedAssets.allSatisfy { $0.object == object })
    #expect(record.addresses == ["https://d.example/"])
    #expect(Sample.record(Sample.item("a")).addresses == nil)
  }

  @Test func `an unreadable record is none, one of a later format is refused, as is an odd date`()
    throws
  {
    let scratch = try ScratchFolder()
    let bundle = try Folder.open(path: scratch.path)
    #expect(try ItemRecord(ifReadableIn: bundle) == nil)
    try scratch.write("{}", to: ItemRecord.fileName)
    #expect(try ItemRecord(ifReadableIn: bundle) == nil)
    try scratch.write("{\"format\": 2}", to: ItemRecord.fileName)
    let later = #expect(throws: StorageError.self) { try ItemRecord(ifReadableIn: bundle) }
    #expect(later?.code == .tooNew)
    let record = Sample.record(Sample.item("a"))
    let json = String(decoding: try record.json(), as: UTF8.self)
    try scratch.write(json, to: ItemRecord.fileName)
    #expect(try ItemRecord(ifReadableIn: bundle) == record)
    let odd = json.replacing("2025-06-15T15:06:40Z", with: "yesterday")
    let error = #expect(throws: StorageError.self) {
      try ItemRecord(json: Array(odd.utf8), path: "item.json")
    }
    #expect(error?.code == .damaged)
  }

  private func version(
    _ name: String, words: Set<UInt64> = []
  ) -> VersionThinning.Version {
    let time = Double(name.dropFirst()).map { $0 * 86_400 } ?? 0
    return VersionThinning.Version(name: name, time: time, content: name, parts: [], words: words)
  }

  /// Of these, the one of the second day is nearest to its neighbours relative to its age.
  @Test(
    arguments: [(50, ["d9", "d2", "d1"]), (49, ["d9", "d8", "d1"])] as [(UInt64, [String])])
  func `a version is nearly repeated if at most one of 50 words is missing elsewhere`(
    count: UInt64, kept: [String]
  ) {
    let words = Set(0..<count)
    var thinning = VersionThinning(
      versions: [
        version("d9", words: words.subtracting([0])), version("d8", words: words), version("d2"),
        version("d1"),
      ], added: nil)
    thinning.thin(to: 3)
    #expect(thinning.versions.map(\.name) == kept)
  }

  @Test(
    arguments: [
      ("20280103T000000Z", 1_830_470_400), ("20280103T000000Z-2", 1_830_470_400), ("mine", 0),
    ] as [(String, Double)])
  func `a version is of the time in its name`(name: String, time: Double) throws {
    let scratch = try ScratchFolder()
    let found = try VersionThinning.Version(name, at: Folder.open(path: scratch.path))
    #expect(found.time == time)
  }

  @Test(arguments: [(4_000_000, 2), (4_000_001, 0)])
  func `the words of a page that is too large are not compared`(size: Int, count: Int) throws {
    let scratch = try ScratchFolder()
    let body = "<!--body--><p>two words</p><!--/body-->"
    let page = body + String(repeating: " ", count: size - body.utf8.count)
    try scratch.write(page, to: BundlePath.page)
    var sums = ChecksumList()
    sums[BundlePath.page] = Digest.sha256Hex(page)
    try Data(sums.bytes).write(to: URL(filePath: scratch.at(ChecksumList.fileName)))
    let found = try VersionThinning.Version(
      "20280103T000000Z", at: Folder.open(path: scratch.path))
    #expect(found.words.count == count && !found.isEdited)
  }

  @Test func `a copy that is held back is no planned version, and all of it has to fit`() throws {
    let scratch = try ScratchFolder()
    let path = scratch.at("archive")
    let item = Sample.item("a")
    let archive = try Archive.open(path: path, mode: .readWrite(holder: "test"))
    try archive.publish([archive.bundles.stage(Sample.draft(item))])
    let known = try #require(try archive.catalog.item(item.key))
    let draft = try Sample.draft(item, page: "worse")
    let staged = try archive.bundles.stage(heldBack: (draft, Sample.now), of: known) {
      (_) throws(StorageError) in [1]
    }
    try archive.mend([try #require(staged)])
    #expect(try archive.catalog.item(item.key)?.versions == ["20250615T150640Z-held"])
    #expect(
      try archive.bundles.plannedVersions(
        for: item.key, folder: item.folder, keepVersions: 3, makesVersion: false) == [])

    let full = try Archive(
      path: path, root: Folder.open(path: path), isReadOnly: false, lock: nil,
      options: ArchiveOptions(reserve: .max / 2))
    let held = try #require(try full.catalog.item(item.key))
    let cases: [(copy: (draft: BundleDraft, time: Date)?, needed: Int)] = [
      ((draft, Sample.now), 4 + draft.inlineByteCount), (nil, 4),
    ]
    for (copy, needed) in cases {
      let error = #expect(throws: StorageError.self) {
        try full.bundles.stage(heldBack: copy, of: held) { (_) throws(StorageError) in
          [1, 2, 3, 4]
        }
      }
      #expect(error?.message.contains("needs \(FreeSpace.text(needed)) and") == true)
    }
  }
}
