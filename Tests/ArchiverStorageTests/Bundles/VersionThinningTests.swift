import ArchiverCore
import Testing

@testable import ArchiverStorage

struct VersionThinningTests {
  private static let day = 86_400.0

  private func version(
    _ day: Double, _ content: String? = nil, parts: Set<String> = []
  ) -> VersionThinning.Version {
    VersionThinning.Version(
      name: "d\(Int(day))", time: day * Self.day, content: content ?? "text of \(day)", parts: parts
    )
  }

  private func kept(
    _ versions: [VersionThinning.Version], _ limit: Int, added: String? = nil
  ) -> [String] {
    var thinning = VersionThinning(versions: versions, added: added)
    thinning.thin(to: limit)
    return thinning.versions.map(\.name)
  }

  @Test func `a year of daily changes keeps the oldest, and more of late than of long ago`() {
    var versions = [version(0)]
    for day in 1..<366 {
      versions.insert(version(Double(day)), at: 0)
      let names = kept(versions, 5, added: "d\(day)")
      #expect(names.count == min(5, day + 1))
      versions.removeAll { !names.contains($0.name) }
      #expect(versions.first?.name == "d\(day)")
      #expect(versions.last?.name == "d0")
    }
    let times = versions.map { $0.time / Self.day }
    #expect(times[0] - times[1] < 30, "\(times)")
    #expect(times[3] > 0 && times[3] < 300, "\(times)")
  }

  @Test func `versions of one text do not evict another text`() {
    let versions = [
      version(9, "new"), version(8, "new"), version(7, "new"), version(2, "old"),
      version(1, "first"),
    ]
    #expect(kept(versions, 3) == ["d9", "d2", "d1"])
  }

  @Test func `a version with a file that no other has is not one of many`() {
    let versions = [
      version(9, "new"), version(8, "new", parts: ["photo"]), version(7, "new"),
      version(1, "first"),
    ]
    #expect(kept(versions, 3) == ["d9", "d8", "d1"])
  }

  @Test func `a version with a comment that no other has is not one of many`() throws {
    let scratch = try ScratchFolder()
    var versions: [VersionThinning.Version] = []
    for (name, remarks) in [
      ("20280103T000000Z", ["a"]), ("20280102T000000Z", ["b"]), ("20280101T000000Z", ["a"]),
    ] {
      try FileManager.default.createDirectory(
        atPath: scratch.at(name), withIntermediateDirectories: false)
      var record = ItemRecord(Sample.item("a"), kind: "scripted", generator: "test")
      record.remarks = remarks
      try Data(record.json()).write(to: URL(filePath: scratch.at("\(name)/item.json")))
      versions.append(try VersionThinning.Version(name, at: Folder.open(path: scratch.at(name))))
    }
    var thinning = VersionThinning(versions: versions, added: nil)
    thinning.thin(to: 2)
    #expect(thinning.versions.map(\.name) == ["20280102T000000Z", "20280101T000000Z"])
  }

  @Test(arguments: [false, true])
  func `a version whose page was edited by hand is like no other`(isEdited: Bool) throws {
    let scratch = try ScratchFolder()
    for name in ["bundle", "version"] {
      try FileManager.default.createDirectory(
        atPath: scratch.at(name), withIntermediateDirectories: false)
    }
    var sums = ChecksumList()
    for (name, bytes) in [
      ("index.html", Array("<p>page</p>".utf8)),
      ("item.json", try Sample.record(Sample.item("a")).json()),
    ] {
      try Data(bytes).write(to: URL(filePath: scratch.at("bundle/\(name)")))
      sums[name] = Digest.sha256Hex(bytes)
    }
    try Data(sums.bytes).write(to: URL(filePath: scratch.at("bundle/SHA256SUMS")))
    if isEdited { try scratch.write("<p>my page</p>", to: "bundle/index.html") }
    let version = try Folder.open(path: scratch.at("version"))
    // The page that becomes a version differs in any case.
    try TreeLinker(fileSystem: FileSystem(faults: nil)).linkBundle(
      Folder.open(path: scratch.at("bundle")), into: version, page: Array("<p>else</p>".utf8))
    let found = try VersionThinning.Version("20280103T000000Z", at: version)
    #expect(found.content == (isEdited ? "20280103T000000Z" : "ca"))
    #expect(found.isEdited == isEdited)
  }

  @Test func `versions that differ in a label do not push out a text that was rewritten`() throws {
    let scratch = try ScratchFolder()
    let sentences = (0..<30).map { "sentence\($0) of a page" }.joined(separator: " ")
    let pages = [
      ("20280704T000000Z", "<p>Tags: one, two</p><p>third \(sentences)</p>"),
      ("20280702T000000Z", "<p>Tags: one</p><p>third \(sentences)</p>"),
      ("20280609T000000Z", "<p>Tags: one</p><p>second text with words of its own \(sentences)</p>"),
      ("20280516T000000Z", "<p>Tags: one</p><p>first \(sentences)</p>"),
    ]
    var versions: [VersionThinning.Version] = []
    for (name, body) in pages {
      try FileManager.default.createDirectory(
        atPath: scratch.at(name), withIntermediateDirectories: false)
      // The frame of the body, such as the day of archiving, always differs.
      let page = Array("<h1>\(name)</h1><!--body-->\(body)<!--/body--><p>archived \(name)</p>".utf8)
      var item = Sample.item("a")
      item.contentHash = Digest.sha256Hex(page)
      let record = try Sample.record(item).json()
      var sums = ChecksumList()
      for (file, bytes) in [("index.html", page), ("item.json", record)] {
        try Data(bytes).write(to: URL(filePath: scratch.at("\(name)/\(file)")))
        sums[file] = Digest.sha256Hex(bytes)
      }
      try Data(sums.bytes).write(to: URL(filePath: scratch.at("\(name)/SHA256SUMS")))
      versions.append(try VersionThinning.Version(name, at: Folder.open(path: scratch.at(name))))
    }
    #expect(Set(versions.map(\.content)).count == 4)
    #expect(
      kept(versions, 3, added: pages[0].0)
        == ["20280704T000000Z", "20280609T000000Z", "20280516T000000Z"])
  }

  @Test(arguments: [
    ("<p>one, <b>two</b>/three</p>", "<p class=\"x\">three two one</p>", 0),
    ("<p>über Größe</p>", "<p>über Grösse</p>", 1),
    // Scripts without word spaces: pairs of characters, so that a sentence counts by its length.
    ("<p>茶山上的一天</p>", "<p>茶山上的一天</p>", 0),
    ("<p>茶山上的一天</p>", "<p>茶山下的一天</p>", 2), ("<p>図書館</p>", "<p>雨の日</p>", 3),
    ("<p>書a館</p>", "<p>a</p>", 2), ("one <b>two</b>", "<p>two</p>", 1),
    // What is before a text does not matter, nor which byte other than a letter ends a word.
    ("茶山", "<p>茶山</p>", 0), ("one茶山", "one 茶山", 0), ("é茶山", "<p>é 茶山", 0), ("茶é", "茶 é", 0),
    ("a/b:c@d[e`f{g", "a b c d e f g", 0), ("x0x9xaxzxAxZ", "x x0 x9 xa xz xA xZ", 1),
    ("a b > c", "<a b>c", 2), ("one", "one <two", 0), ("<one", "", 0),
  ])
  func `words of a text that another does not have are counted`(
    one: String, other: String, own: Int
  ) {
    let difference = PageWords.hashes(Array(one.utf8))
      .subtracting(PageWords.hashes(Array(other.utf8)))
    #expect(difference.count == own)
  }

  @Test func `a long paragraph rewritten without spaces is no near repetition`() {
    func paragraph(_ first: Int, _ count: Int) -> String {
      let scalars = (first..<first + count).compactMap { Unicode.Scalar(UInt32($0)) }
      return String(String.UnicodeScalarView(scalars))
    }
    let rest = (0..<60).map { paragraph(0x4E00 + $0 * 20, 20) }
    func words(_ long: String) -> Set<UInt64> {
      PageWords.hashes(Array(([long] + rest).map { "<p>\($0)</p>" }.joined().utf8))
    }
    var versions = [version(9), version(8), version(2), version(1)]
    for index in versions.indices { versions[index].words = words(paragraph(0x8000, 100)) }
    versions[2].words = words(paragraph(0x9000, 100))
    #expect(kept(versions, 3) == ["d9", "d2", "d1"])
  }

  @Test func `a newest version that repeats another does not push out one with files of its own`() {
    let versions = [
      version(9, "text", parts: ["first"]), version(8, "text", parts: ["third"]),
      version(4, "text", parts: ["second"]), version(1, "text", parts: ["first"]),
    ]
    // A bundle that was not in the catalog may be older than the newest version.
    #expect(kept(versions, 3, added: "d8") == ["d8", "d4", "d1"])
  }

  @Test func `a bundle that only repeats an older version pushes out no other`() {
    let versions = [
      version(8, "text", parts: ["first"]), version(4, "other"),
      version(1, "text", parts: ["first"]),
    ]
    #expect(kept(versions, 2, added: "d8") == ["d4", "d1"])
    let unlike = [version(8, "edited"), version(4, "other"), version(1, "text")]
    #expect(kept(unlike, 2, added: "d8") == ["d8", "d1"])
  }

  @Test func `a version that a person edited goes after all others`() {
    var versions = [version(9), version(8), version(2), version(1)]
    versions[2].isEdited = true
    #expect(kept(versions, 3, added: "d9") == ["d9", "d2", "d1"])
    versions[2].isEdited = false
    #expect(kept(versions, 3, added: "d9") == ["d9", "d8", "d1"])
  }

  @Test(arguments: [1, 2])
  func `the oldest and the one being added always stay`(limit: Int) {
    #expect(kept([version(3), version(2), version(1)], limit, added: "d3") == ["d3", "d1"])
    #expect(kept([version(3), version(2), version(1)], limit, added: "d2") == ["d3", "d2", "d1"])
    #expect(kept([version(1)], limit) == ["d1"])
    #expect(kept([], limit) == [])
  }

  @Test func `versions whose names are no times are thinned as well`() {
    let odd = ["z", "y", "x", "w"].map {
      VersionThinning.Version(name: $0, time: 0, content: $0, parts: [])
    }
    #expect(kept(odd, 3).count == 3)
    #expect(kept(odd, 3).last == "w")
  }

  @Test func `the first text of an item outlives any number of others on disk`() throws {
    let folder = try ScratchFolder()
    let archive = try Archive.open(path: folder.at("archive"), mode: .readWrite(holder: "test"))
    for number in 0..<8 {
      var item = Sample.item("a", archived: Double(number) * Self.day)
      item.contentHash = number < 4 ? "first" : "second"
      try archive.publish([
        archive.bundles.stage(Sample.draft(item, page: "page \(number)", keepVersions: 2))
      ])
    }
    let item = try #require(try archive.catalog.item(ItemKey(source: "readeck", id: "a")))
    let pages = try item.versions.map {
      try archive.bundles.read("versions/\($0)/index.html", of: item.folder)
    }
    #expect(pages == [Array("page 6".utf8), Array("page 0".utf8)])
  }
}
