import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverPipeline

/// The files of one item and their places in its bundle.
struct ItemFileTests {
  private static let digest = "0123456789abcdef0123456789abcdef"

  private static func asset(
    _ url: String = "", _ sha256: String = digest, type: String = "image/gif"
  ) -> CachedAsset {
    CachedAsset(
      url: url, object: StoredObject(sha256: sha256, byteCount: 9), mediaType: type)
  }

  private static func file(_ url: String, _ sha256: String) -> ItemAssets.Outcome {
    .success(ItemAssets.LocalFile(asset(url, sha256)))
  }

  private static func failure(
    _ cause: AssetFailure.Cause = .other, storage: StorageError? = nil, isExpired: Bool = false
  ) -> ItemAssets.Outcome {
    .failure(
      AssetFailure("no", isTransient: true, storage: storage, isExpired: isExpired, cause: cause))
  }

  private static func missing(
    isEssential: Bool = true, isUnreached: Bool = false, isCut: Bool = false,
    kind: MissingPart.Kind = .picture, address: String = ""
  ) -> ItemAssets.Missing {
    ItemAssets.Missing(
      url: "u", reason: "r", isTransient: true, kind: kind, isEssential: isEssential,
      isUnreached: isUnreached, isCut: isCut, address: address)
  }

  @Test func `a file is named by its content, a table by its own name where that is unique`() {
    let table = Self.asset(type: "text/csv")
    func path(_ name: String?, keepsName: Bool) -> String {
      ItemAssets.LocalFile(table, name: name, keepsName: keepsName).path
    }
    #expect(path("database.csv", keepsName: true) == "assets/database.csv")
    #expect(path("database.csv", keepsName: false) == "assets/0123456789abcdef.csv")
    #expect(path("DATA.csv", keepsName: true) == "assets/0123456789abcdef.csv")
    #expect(path(nil, keepsName: true) == "assets/0123456789abcdef.csv")
    let picture = ItemAssets.LocalFile(Self.asset(), name: "a.png")
    #expect(picture.path == "assets/0123456789abcdef.gif" && !picture.isUnexpected)
    let other = ItemAssets.LocalFile(unexpected: Self.asset())
    #expect(other.path == "unexpected/0123456789abcdef.gif" && other.isUnexpected)
  }

  @Test(
    arguments: [
      (String(repeating: "a", count: 5), true), (String(repeating: "a", count: 4), false),
      (String(repeating: "a", count: 40), true), (String(repeating: "a", count: 41), false),
      ("az09-", true), ("aaaa`", false), ("aaaa{", false), ("aaaa/", false), ("aaaa:", false),
      ("aaaa.", false), ("9aaaa", false),
    ])
  func `a table keeps a name of 5 to 40 small letters, digits and hyphens`(
    stem: String, isKept: Bool
  ) {
    let path = ItemAssets.keptPath("text/csv", stem + ".csv")
    #expect(path == (isKept ? "assets/\(stem).csv" : nil))
  }

  @Test func `a bundle has each file once, and its record every URL`() {
    let assets = ItemAssets(
      slots: [
        Self.file("https://a.test/2", "b"), Self.failure(), Self.file("https://a.test/3", "a"),
      ],
      attachments: [
        Self.file("https://a.test/1", "b"), Self.file("", "b"), Self.file("https://a.test/2", "b"),
      ])
    #expect(assets.files.map(\.path) == ["assets/a.gif", "assets/b.gif"])
    #expect(assets.records.map(\.path) == ["assets/a.gif", "assets/b.gif"])
    #expect(assets.records.map(\.url) == ["https://a.test/3", "https://a.test/2"])
    #expect(assets.records.map(\.urls) == [nil, ["https://a.test/1"]])
  }

  @Test func `only files that are what they were requested as count as such`() throws {
    let url = try #require(WebURL("https://a.test/"))
    let roles: [ArchiverCore.Attachment.Role] = [.cover, .file, .file, .file, .file]
    let wanted: [ArchiverCore.Attachment] = roles.map { Attachment($0, .remote(url)) }
    let unexpected = ItemAssets.LocalFile(unexpected: Self.asset("", "x", type: "text/csv"))
    let assets = ItemAssets(
      slots: [],
      attachments: [
        .success(ItemAssets.LocalFile(Self.asset("", "c", type: "text/csv"))), Self.failure(),
        .success(unexpected), .success(ItemAssets.LocalFile(Self.asset("", "p", type: "text/csv"))),
        .success(ItemAssets.LocalFile(Self.asset("", "q", type: "text/csv"))),
      ])
    #expect(assets.localFiles(in: wanted).map(\.file.path) == ["assets/p.csv", "assets/q.csv"])
    #expect(assets.file(of: "text/csv", in: wanted)?.path == "assets/p.csv")
    #expect(assets.file(of: "text/plain", in: wanted) == nil)
  }

  @Test func `the URLs of placeholders are named once each`() {
    var assets = ItemAssets(
      slots: [
        Self.failure(.pixel), Self.failure(.pixel), Self.failure(.gone), Self.failure(.pixel),
        Self.failure(.pixel), Self.file("e", "e"),
      ], attachments: [])
    assets.slotAddresses = ["b", "a", "gone", "b", "", "e"]
    #expect(assets.pixels == ["a", "b"])
  }

  @Test(arguments: [false, true])
  func `an expired URL and a failing archive are found among pictures and files`(
    isPicture: Bool
  ) {
    func assets(_ outcome: ItemAssets.Outcome) -> ItemAssets {
      let others = [Self.file("a", "a"), Self.failure()]
      return ItemAssets(
        slots: isPicture ? others + [outcome] : others,
        attachments: isPicture ? others : others + [outcome])
    }
    #expect(!assets(Self.failure()).hasExpired && assets(Self.failure()).storageError == nil)
    #expect(assets(Self.failure(isExpired: true)).hasExpired)
    let full = assets(Self.failure(storage: StorageError(.full, "full")))
    #expect(full.storageError?.code == .full)
  }

  @Test func `an item is unreached if every essential part that it lacks is`() {
    func isUnreached(_ missing: [ItemAssets.Missing], countsCuts: Bool = false) -> Bool {
      var assets = ItemAssets(slots: [], attachments: [])
      assets.missing = missing
      assets.countsCuts = countsCuts
      return assets.isUnreached
    }
    let (unreached, cut) = (Self.missing(isUnreached: true), Self.missing(isCut: true))
    #expect(!isUnreached([]))
    #expect(isUnreached([unreached, Self.missing(isEssential: false)]))
    #expect(!isUnreached([Self.missing(isEssential: false, isUnreached: true)]))
    #expect(!isUnreached([unreached, Self.missing()]))
    #expect(!isUnreached([unreached, cut]))
    #expect(isUnreached([unreached, cut], countsCuts: true))
    #expect(!isUnreached([unreached, Self.missing()], countsCuts: true))
  }

  /// Calls `body` with the files of a bundle: the URLs of each, with the bytes that it has.
  private func withEarlier(
    _ files: [(urls: [String], text: String)],
    _ body: (EarlierFiles) throws -> Void
  ) async throws {
    try await TemporaryFolder.with("earlier") { folder in
      let archive = try Archive.open(path: folder + "/archive", mode: .readWrite(holder: "test"))
      let item = CatalogItem(
        key: ItemKey(source: "s", id: "a"), revision: "1", folder: "s/a",
        metadata: ItemMetadata(kind: .article, title: ""), firstArchived: .distantPast,
        lastArchived: .distantPast, contentHash: "")
      var assets: [ItemRecord.Asset] = []
      for (number, file) in files.enumerated() {
        let object = try archive.objects.store(Array(file.text.utf8))
        var asset = ItemRecord.Asset(
          path: "assets/\(number)",
          asset: CachedAsset(
            url: file.urls.first ?? "", object: object, mediaType: "image/gif", width: 4, height: 3)
        )
        asset.urls = Array(file.urls.dropFirst())
        assets.append(asset)
      }
      // Damaged: the pool has no such bytes.
      let lost = CachedAsset(
        url: "https://a.test/lost",
        object: StoredObject(sha256: String(repeating: "0", count: 64), byteCount: 1),
        mediaType: "image/gif")
      assets.append(ItemRecord.Asset(path: "unexpected/x", asset: lost))
      try body(
        EarlierFiles(ItemRecord(item, kind: "s", assets: assets, generator: "test"), in: archive))
    }
  }

  private static let earlier: [(urls: [String], text: String)] = [
    (["https://a.test/1?w=3", "https://b.test/2"], "first"),
    (["https://a.test/twice"], "second"), (["https://b.test/twice"], "third"),
    (["https://a.test/same"], "fourth"), (["https://b.test/same"], "fourth"),
    // It came with the item.
    ([""], "inline"),
  ]

  @Test(
    arguments: [
      ("https://a.test/1?w=3", "https://a.test/1?w=3", 5),
      ("https://b.test/2", "https://b.test/2", 5),
      // At another host only the same path and query are the same file, if one file alone has them.
      ("https://c.test/1?w=3", "https://a.test/1?w=3", nil), ("https://c.test/1?w=4", nil, nil),
      ("https://c.test/1", nil, nil), ("https://c.test/twice", nil, nil),
      ("https://b.test/twice", "https://b.test/twice", 5),
      ("https://c.test/same", "https://a.test/same", nil),
      ("https://a.test/lost", nil, 1), ("https://a.test/other", nil, nil), ("", nil, 6),
    ] as [(String, String?, Int?)])
  func `an earlier file is found by its URL, or by its place at another host`(
    address: String, found: String?, byteCount: Int?
  ) async throws {
    try await withEarlier(Self.earlier) { files in
      let file = files.file(for: address)
      #expect(file?.url == found)
      if found != nil { #expect(file?.width == 4 && file?.height == 3) }
      #expect(files.byteCount(of: address) == byteCount)
    }
  }

  @Test func `what a server sent instead of a file is none of the earlier files`() async throws {
    try await withEarlier([(["https://a.test/1"], "first")]) { files in
      #expect(files.paths == ["assets/0"])
    }
  }

  @Test func `an earlier file stands in for a missing one, which counts if it is the item itself`()
    async throws
  {
    let address = "https://a.test/1?w=3"
    try await withEarlier(Self.earlier) { files in
      func filled(
        _ outcome: ItemAssets.Outcome, asFile: Bool, _ kind: MissingPart.Kind = .picture
      ) -> (Bool, Int) {
        var assets = ItemAssets(
          slots: asFile ? [] : [outcome], attachments: asFile ? [outcome] : [])
        assets.slotAddresses = asFile ? [] : [address]
        assets.attachmentAddresses = asFile ? [address] : []
        assets.missing = [
          Self.missing(kind: kind, address: address), Self.missing(address: "https://a.test/other"),
        ]
        let result = assets.filled(from: files)
        return (result.files.count == 1, result.missing.count)
      }
      for asFile in [false, true] {
        #expect(filled(Self.failure(.gone), asFile: asFile) == (true, 1))
        #expect(filled(Self.failure(.gone), asFile: asFile, .mainFile) == (true, 2))
        #expect(filled(Self.failure(.pixel), asFile: asFile) == (false, 2))
        let full = Self.failure(storage: StorageError(.full, "full"))
        #expect(filled(full, asFile: asFile) == (false, 2))
      }
    }
  }
}
