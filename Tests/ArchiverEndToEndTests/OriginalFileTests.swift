import ArchiverCore
import ArchiverTestKit
import Testing

/// A bookmark of a PDF, which Readeck does not store, is archived with the file if configured.
@Suite struct OriginalFileTests {
  private static let pdf = Array("%PDF-1.4\n1 0 obj\n<<>>\nendobj\n%%EOF\n".utf8)

  private func with(
    _ settings: String, _ answer: ServerResponse, _ body: (SourceStage) async throws -> Void
  ) async throws {
    try await SourceStage.with(.readeck) { stage in
      try stage.configure(settings)
      var bookmark = FakeReadeck.Bookmark(
        url: stage.files.baseURL.absoluteString + "papers/on%20towers.pdf", title: "On Towers")
      bookmark.html = nil
      bookmark.errors = ["could not extract content"]
      stage.readeck.add(bookmark)
      stage.tamper { request, usual in request.path.hasSuffix(".pdf") ? answer : usual }
      try await body(stage)
    }
  }

  private func page(_ stage: SourceStage) throws -> (folder: String, html: String) {
    let folder = try #require(stage.bundles().first { $0.contains("on-towers") })
    let html = try Data(contentsOf: URL(filePath: folder + "/index.html"))
    return (folder, String(decoding: html, as: UTF8.self))
  }

  @Test func `a bookmarked PDF is fetched without the token and shown on its page`() async throws {
    try await with("originals: ['pdf']", .data(Self.pdf, type: "application/pdf")) { stage in
      let run = try await stage.run()
      #expect(run.code == 0, "\(run.error)")
      let page = try page(stage)
      #expect(page.html.contains("Readeck does not store PDF files; this is the original."))
      let names = try FileManager.default.contentsOfDirectory(atPath: page.folder + "/assets")
      let name = try #require(names.first { $0.hasSuffix(".pdf") })
      #expect(page.html.contains("assets/\(name)"))
      let bytes = try Data(contentsOf: URL(filePath: "\(page.folder)/assets/\(name)"))
      #expect(Array(bytes) == Self.pdf)
      let requests = stage.requests.filter { $0.path.hasSuffix(".pdf") }
      #expect(!requests.isEmpty && requests.allSatisfy { $0.headers["Authorization"] == nil })
    }
  }

  @Test func `without the setting nothing is fetched, and the page says why`() async throws {
    try await with("", .data(Self.pdf, type: "application/pdf")) { stage in
      let run = try await stage.run()
      #expect(run.code == 0)
      #expect(try page(stage).html.contains("Readeck does not store PDF files."))
      #expect(!stage.requests.contains { $0.path.hasSuffix(".pdf") })
    }
  }

  @Test func `a login page in place of the PDF fails the item`() async throws {
    let login = ServerResponse.data(
      Array("<!doctype html><form>Log in</form>".utf8), type: "text/html")
    try await with("originals: ['pdf']", login) { stage in
      let run = try await stage.run()
      #expect(run.code == 1)
      let list = try await stage.archiver("list", "--failed").output
      #expect(list.contains("On Towers"), "\(list)")
    }
  }
}
