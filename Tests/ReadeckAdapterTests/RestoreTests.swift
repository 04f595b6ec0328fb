import ArchiverCore
import Testing

@testable import ReadeckAdapter

/// Bookmarks in the form that Readeck imports.
@Suite struct RestoreTests {
  private func item(_ html: String?, annotations: [Annotation] = []) -> KeptItem {
    var metadata = ItemMetadata(kind: .article, title: "Kept")
    metadata.isFavourite = true
    metadata.labels = ["a"]
    let record = """
      {"id":"Abc123","url":"https://example.org/x?y=ü","title":"Paper","site":"www.example.org",
      "created":"2026-05-05T14:14:21.123456789Z","updated":"2026-05-06T00:00:00Z","labels":["b","c"],
      "read_progress":40,"read_anchor":"p.12","state":0,"document_type":"article"}
      """
    let base = "https://read.example.org/bm/Ab/Abc123"
    return KeptItem(
      id: "Abc123", metadata: metadata, annotations: annotations, record: Array(record.utf8),
      html: html.map { Array($0.utf8) },
      files: [
        .init(
          role: nil, url: "\(base)/_resources/one.png", path: "/b/assets/1.png",
          mediaType: "image/png", width: 4, height: 3),
        .init(
          role: .cover, url: "\(base)/img/image.jpg", path: "/b/assets/2.jpg",
          mediaType: "image/jpeg", width: 8, height: 6),
        .init(
          role: nil, url: "https://elsewhere.example/x.png", path: "/b/assets/3.png",
          mediaType: "image/png", width: nil, height: nil),
      ])
  }

  private func text(_ restored: RestoredItem, _ name: String) throws -> String {
    let file = try #require(restored.files.first { $0.name.hasSuffix(name) })
    guard case .bytes(let bytes) = file.content else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func info(_ restored: RestoredItem) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(try text(restored, "info.json").utf8))
  }

  @Test func `facts are those of the record, to the nanosecond`() throws {
    let restored = try ReadeckRestorer().files(of: item(nil))
    let info = try info(restored)
    #expect(info["Created"] == "2026-05-05T14:14:21.123456789Z" && info["Title"] == "Paper")
    #expect(info["URL"] == "https://example.org/x?y=ü" && info["Labels"] == ["b", "c"])
    #expect(info["Domain"] == "example.org" && info["Site"] == "www.example.org")
    #expect(info["ReadProgress"] == 40 && info["ReadAnchor"] == "p.12" && info["IsMarked"] == true)
    #expect(info["Files"]?["image"]?["name"] == "img/image.jpg" && info["Files"]?["article"] == nil)
    #expect(
      restored.files.map(\.name) == [
        "bookmarks/Abc123/info.json", "bookmarks/Abc123/container/img/image.jpg",
      ])
    #expect(restored.losses.isEmpty)
  }

  @Test func `the page of a video without a text is not its article`() throws {
    var video = item("<figure><figcaption>Watch</figcaption></figure>")
    let record = String(decoding: video.record ?? [], as: UTF8.self)
    video.record = Array(
      record.replacing("\"state\":0", with: "\"state\":0,\"has_article\":false").utf8)
    let restored = try ReadeckRestorer().files(of: video)
    #expect(!restored.files.contains { $0.name.hasSuffix("index.html") })
    #expect(try info(restored)["Files"]?["article"] == nil)
  }

  @Test func `the text of a video is restored without its poster and player`() throws {
    let embed = "<iframe src=\"https://player.example/1\"></iframe>"
    var video = item(
      "<figure><img src=\"/p\"><figcaption>Watch</figcaption></figure><section>"
        + "<figure><figcaption>a</figcaption></figure><p>Words.</p></section>\(embed)")
    video.record = Array(
      try JSONEncoder().encode(
        ["type": "video", "has_article": true, "embed": .string(embed)] as JSONValue))
    let restored = try ReadeckRestorer().files(of: video)
    #expect(
      try text(restored, "index.html")
        == "<section><figure><figcaption>a</figcaption></figure><p>Words.</p></section>")
  }

  @Test func `an article has its images beside it and no highlight in it`() throws {
    let first =
      "<rd-annotation id=\"annotation-h1\" data-annotation-id-value=\"h1\" "
      + "data-annotation-color=\"blue\">"
    let html = """
      <section><p>Ünïcode 👍 \(first)marked</rd-annotation></p>

      <p><rd-annotation data-annotation-id-value="h1">words</rd-annotation> and found once</p>
      <p><img src="https://read.example.org/bm/Ab/Abc123/_resources/one.png" alt="one">
      <img src="https://read.example.org/bm/Ab/Abc123/_resources/lost.png"></p></section>
      """
    let restored = try ReadeckRestorer().files(
      of: item(
        html,
        annotations: [
          Annotation(id: "h1", text: "marked words", note: "why", color: "blue"),
          Annotation(id: "h2", text: "found once"), Annotation(id: "h3", text: "not there"),
        ]))
    let article = try text(restored, "index.html")
    #expect(
      article.hasPrefix(
        "<section><p>Ünïcode 👍 marked</p><p>words and found once</p><p><img "
          + "src=\"./_resources/one.png\" alt=\"one\">"), "\(article)")
    #expect(!article.contains("annotation") && !article.contains("lost.png"))
    #expect(restored.losses.sorted() == ["highlight", "picture"])
    let marks = try #require(try info(restored)["Annotations"]?.array)
    #expect(marks.map { $0["id"] } == ["h1", "h2"])
    // Code points of the whole text: "Ünïcode 👍 " are ten.
    #expect(marks[0]["start_offset"] == 10 && marks[0]["end_offset"] == 21)
    #expect(marks[0]["note"] == "why" && marks[0]["color"] == "blue")
    #expect(marks[1]["start_offset"] == 26 && marks[1]["end_offset"] == 36)
    #expect(restored.files.map(\.name).contains("bookmarks/Abc123/container/_resources/one.png"))
    #expect(!restored.files.map(\.name).contains { $0.hasSuffix("x.png") })
  }

  @Test func `files that the archive lacks are counted`() throws {
    var lacking = item(nil)
    lacking.absent = 2
    #expect(try ReadeckRestorer().files(of: lacking).losses == ["picture", "picture"])
  }

  @Test func `an image that two URLs return is restored at both places`() throws {
    var twice = item(
      "<section><img src=\"https://read.example.org/bm/Ab/Abc123/_resources/one.png\">"
        + "<img src=\"https://read.example.org/bm/Ab/Abc123/_resources/two.png\"></section>")
    twice.files.append(
      .init(
        role: nil, url: "https://read.example.org/bm/Ab/Abc123/_resources/two.png",
        path: "/b/assets/1.png", mediaType: "image/png", width: 4, height: 3))
    let restored = try ReadeckRestorer().files(of: twice)
    #expect(restored.losses.isEmpty)
    #expect(try text(restored, "index.html").components(separatedBy: "<img ").count == 3)
    let names = restored.files.map(\.name).filter { $0.contains("_resources") }
    #expect(names.map { $0.suffix(7) } == ["one.png", "two.png"])
  }

  @Test func `times of an item without a record are in the Gregorian calendar`() throws {
    var old = item(nil)
    old.record = nil
    old.metadata.published = Date(timeIntervalSince1970: -14_826_628_800)
    old.metadata.added = Date(timeIntervalSince1970: -1)
    let info = try info(try ReadeckRestorer().files(of: old))
    #expect(info["Published"] == "1500-03-01T12:00:00Z")
    #expect(info["Created"] == "1969-12-31T23:59:59Z")
  }

  @Test func `the index names one user and every bookmark, and a strange id is refused`() throws {
    let index = try ReadeckRestorer().index(of: ["A", "B"], owner: RestoredOwner(name: "anna"))
    #expect(index.files.map(\.name) == ["data.json"])
    let data = try data(index)
    #expect(data["Info"]?["Version"] == "1" && data["Users"]?.array?.count == 1)
    #expect(data["Users"]?[0]?["Username"] == "anna")
    #expect(data["Bookmarks"]?.array?.map { $0["UID"] } == ["A", "B"])
    // Readeck's own values of a new account, as it would store empty ones.
    #expect(data["Users"]?[0]?["Settings"]?["reader_settings"]?["font_size"] == 3)
    var odd = item(nil)
    odd.id = "../x"
    #expect(throws: AdapterError.self) { try ReadeckRestorer().files(of: odd) }
  }

  private func data(_ index: RestoredItem) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(try text(index, "data.json").utf8))
  }

  @Test func `one record of a wrong type does not make the server refuse the file`() throws {
    var odd = item(nil)
    odd.record = Array(
      """
      {"url":"https://example.org/","created":"yesterday","updated":7,"labels":["a",5],
      "authors":"Ann","links":[{"url":"https://example.org/2","title":9,"is_page":"no"},3],
      "word_count":"many","state":null,"lang":[]}
      """.utf8)
    odd.metadata.added = Date(timeIntervalSince1970: 0)
    let info = try info(try ReadeckRestorer().files(of: odd))
    #expect(info["Created"] == "1970-01-01T00:00:00Z" && info["Labels"] == ["a"])
    #expect(info["Authors"] == [] && info["WordCount"] == 0 && info["UserID"] == 1)
    #expect(
      info["Links"] == [["url": "https://example.org/2", "is_page": false], ["is_page": false]])
  }

  @Test func `collections and settings are those of the archived accounts`() throws {
    let record: JSONValue = [
      "collections": [
        [
          "id": "x", "name": "One", "is_pinned": true, "created": "2026-05-05T14:14:21.123456789Z",
          "updated": "never", "search": "", "type": ["video"], "labels": "a", "is_marked": .null,
          "is_archived": false, "read_status": [1], "range_start": "-1d",
        ],
        ["name": ""], "none", ["name": "Two"],
      ], "settings": ["lang": "de"],
    ]
    let index = try ReadeckRestorer().index(
      of: [], owner: RestoredOwner(name: "anna", records: [record, record]))
    #expect(
      index.losses.sorted() == [
        "collection", "collection", "collection", "collection", "filter of a collection",
        "filter of a collection",
      ])
    let data = try data(index)
    #expect(
      data["BookmarkCollections"] == [
        [
          "UserID": 1, "Name": "One", "IsPinned": true,
          "Created": "2026-05-05T14:14:21.123456789Z",
          "Filters": [
            "type": ["video"], "labels": "a", "is_archived": false, "range_start": "-1d",
          ],
        ], ["UserID": 1, "Name": "Two", "IsPinned": false, "Filters": .object([:])],
      ])
    #expect(data["Users"]?[0]?["Settings"] == ["lang": "de"])
    let kept = try ReadeckRestorer().index(
      of: [], owner: RestoredOwner(name: "anna", records: [record], settings: ["lang": "fr"]))
    #expect(try self.data(kept)["Users"]?[0]?["Settings"] == ["lang": "fr"])
  }

  @Test func `no content can end its part of a form`() {
    let boundaries = (0..<3).map { _ in MultipartForm().contentType }
    #expect(Set(boundaries).count == 3)
  }

  @Test func `a bookmark with too many bytes of images is refused before they are read`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/sparse-image"
    try Data().write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(truncate(path, 300_000_000) == 0)
    var large = item("<section><p>Words.</p></section>")
    large.files[1].path = path
    let form = try BookmarkForm(large, restoringLabel: "x")
    let error = #expect(throws: AdapterError.self) { try form.form() }
    #expect(error?.code == .tooLarge)
  }
}
