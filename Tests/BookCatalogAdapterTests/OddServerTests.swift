import ArchiverCore
import ArchiverTestKit
import Testing

@testable import BookCatalogAdapter

/// Servers that mislabel files, or that are reached in another way than they believe.
@Suite struct OddServerTests {
  private static let fictionBook = "<?xml version=\"1.0\"?><FictionBook><body/></FictionBook>"

  @Test(arguments: ["PK\u{3}\u{4}", "%PDF-1.4", fictionBook])
  func `a book that is sent as a web page is a book by its content`(content: String) async throws {
    let stage = try CatalogStage { request in
      if request.path == "/opds" { return .text(atom(book("a"))) }
      return .text(content, type: "text/html; charset=utf-8", headers: ["ETag": "\"1\""])
    }
    let reference = try #require(try await stage.list().references.first)
    let item = try await stage.adapter.item(reference)
    #expect(item.attachments.map(\.name) == ["a.epub"])
    #expect(item.attachments.first?.revision == "\"1\"")
    #expect(item.notes.isEmpty)
  }

  @Test(arguments: [
    "<!doctype html><html>", "\n <html xmlns=\"x\">", "<?xml version=\"1.0\"?><html>",
  ])
  func `a web page in place of a book is not a book`(content: String) async throws {
    let stage = try CatalogStage { request in
      request.path == "/opds"
        ? .text(atom(book("a"))) : .text(content, type: "text/html; charset=utf-8")
    }
    let reference = try #require(try await stage.list().references.first)
    await #expect {
      _ = try await stage.adapter.item(reference)
    } throws: {
      ($0 as? AdapterError)?.code == .malformed
    }
  }

  @Test func `files of an https catalog that calls itself http are requested by https`()
    async throws
  {
    let links =
      ["acquisition", "image"].map {
        "<link rel=\"http://opds-spec.org/\($0)\" type=\"x/y\" href=\"http://books.test/f/\($0)\"/>"
      }.joined()
      + "<link rel=\"http://opds-spec.org/image/thumbnail\" type=\"image/png\" href=\"http://cdn.test/t\"/>"
    let stage = try CatalogStage { request in
      request.path == "/opds" ? .text(atom(book("a", links))) : .data(Array("PK".utf8))
    }
    let reference = try #require(try await stage.list().references.first)
    let item = try await stage.adapter.item(reference)
    #expect(
      item.targets
        == ["https://books.test/f/image", "https://books.test/f/acquisition"])
    #expect(stage.client.unexpected.isEmpty)
  }

  @Test(arguments: ["auto", "basic"])
  func `a login that the server does not ask for is reported`(login: String) async throws {
    let stage = try CatalogStage({ _ in .text(atom(book("a"))) }) {
      $0.user = "reader"
      $0.password = Secret("secret")
      $0.login = login
    }
    let listed = try await stage.list()
    #expect(listed.isComplete)
    #expect(
      listed.gaps.count { $0.message.contains("set login to \"basic\"") }
        == (login == "auto" ? 1 : 0))
    #expect(!listed.hasEssentialGap)
  }

  @Test func `a login that the server asks for is not`() async throws {
    let stage = try CatalogStage({ request in
      request.headers["Authorization"] == nil && request.headers["X-In"] == nil
        ? ServerResponse(401, headers: ["WWW-Authenticate": "Basic"]) : .text(atom(book("a")))
    }) {
      $0.user = "reader"
      $0.password = Secret("secret")
      $0.headers = ["X-In": "1"]
    }
    #expect(try await stage.list().gaps.isEmpty)
  }
}
