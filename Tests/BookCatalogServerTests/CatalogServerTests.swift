import ArchiverCore
import ArchiverTestKit
import Testing

/// The catalog that `Scripts/test-servers` started.
struct CatalogServer {
  static let name = variable("SERVER")
  static let isThere = name != nil

  let url = variable("URL") ?? ""
  let login = variable("LOGIN") ?? "none"
  let user = variable("USER") ?? ""
  let password = variable("PASSWORD") ?? ""
  let count = variable("COUNT").flatMap { Int($0) } ?? 0
  /// A command that edits one book; empty where the library cannot be changed.
  let edit = (variable("EDIT") ?? "").split(separator: " ").map(String.init)

  private static func variable(_ name: String) -> String? {
    getenv("BOOKS_TEST_\(name)").map { String(cString: $0) }
  }

  /// Runs `archiver run` into an archive of this name.
  func archive(
    _ home: String, password: String? = nil, url: String? = nil, more: [String] = []
  ) async throws -> (code: Int32, output: String) {
    try await run(
      ["run", "--source", "books", "--archive", home + "/archive"] + more, home,
      password: password, url: url)
  }

  /// What `archiver list` prints of the books with a status.
  func list(_ home: String, status: String) async throws -> String {
    try await run(
      ["list", "--status", status, "--json", "--archive", home + "/archive"], home
    ).output
  }

  private func run(
    _ arguments: [String], _ home: String, password: String? = nil, url: String? = nil
  ) async throws -> (code: Int32, output: String) {
    let path = CommandLine.arguments.first ?? ""
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/")
    let process = try ChildProcess(
      folder + "/archiver", arguments,
      environment: [
        "HOME": home, "PATH": "/usr/bin:/bin", "XDG_CONFIG_HOME": home + "/config",
        "BOOKS_URL": url ?? self.url, "BOOKS_USER": user,
        "BOOKS_PASSWORD": password ?? self.password,
      ])
    let code = try await process.wait(limit: .seconds(120))
    return (code, process.output + process.errorOutput)
  }

  /// Prints results for users of `Scripts/test-servers`.
  func seen(_ what: String) {
    print("\(CatalogServer.name ?? ""), login \(login): \(what)")
  }

  /// The folders of the archive's books.
  func bundles(_ home: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: home + "/archive/books").sorted()
  }
}

@Suite(
  .serialized,
  .enabled(if: CatalogServer.isThere, "no catalog was started; run Scripts/test-servers"))
struct CatalogServerTests {
  private let server = CatalogServer()

  @Test func `archives every book as pages, and again only what changed`() async throws {
    try await TemporaryFolder.with("catalog") { home in
      let first = try await server.archive(home)
      #expect(first.code == 0, "\(first.output)")
      let bundles = try server.bundles(home)
      #expect(bundles.count == server.count)
      for bundle in bundles {
        let contents = home + "/archive/books/\(bundle)/book/text/contents.html"
        #expect(FileManager.default.fileExists(atPath: contents), "\(bundle)")
      }
      server.seen("\(bundles.count) books archived as pages")
      let second = try await server.archive(home)
      #expect(second.code == 0)
      #expect(second.output.contains("\(server.count) unchanged"), "\(second.output)")
      server.seen("a second run found all \(server.count) unchanged")
      try await editedBookIsArchivedAgain(home)
    }
  }

  private func editedBookIsArchivedAgain(_ home: String) async throws {
    guard let command = server.edit.first else { return }
    let tool = try #require(ChildProcess.find(command))
    let environment = ProcessInfo.processInfo.environment
    let edit = try ChildProcess(tool, Array(server.edit.dropFirst()), environment: environment)
    #expect(try await edit.wait(limit: .seconds(60)) == 0, "\(edit.errorOutput)")
    let waiting = try await server.archive(home, more: ["--only", "nothing-of-this-name"])
    #expect(waiting.code == 1, "there is no such book: \(waiting.output)")
    let list = try await server.list(home, status: "outdated")
    #expect(list.split(separator: "\n").count == 1, "\(list)")
    server.seen("one edited book is outdated")
    let third = try await server.archive(home)
    #expect(
      third.output.contains("0 new, 1 changed, \(server.count - 1) unchanged"), "\(third.output)")
    let versions = try server.bundles(home).filter {
      FileManager.default.fileExists(atPath: home + "/archive/books/\($0)/versions")
    }
    #expect(versions.count == 1)
    #expect(try await server.list(home, status: "outdated").isEmpty)
    server.seen("the edited book alone was archived again")
  }

  @Test func `books whose connections were cut are resumed`() async throws {
    let url = try #require(WebURL(server.url))
    // Half of a file as the servers send it, a head included; the books of the library are small.
    let proxy = try CuttingProxy(
      to: url.origin.port, cutting: "/epub/", after: 1_200, times: 5)
    defer { proxy.stop() }
    try await TemporaryFolder.with("catalog") { home in
      let run = try await server.archive(
        home, url: "http://127.0.0.1:\(proxy.port)\(url.path)")
      #expect(run.code == 0, "\(run.output)")
      #expect(proxy.cutCount == 5)
      #expect(proxy.resumedCount > 0, "the rest was asked for, not the whole again")
      #expect(try server.bundles(home).count == server.count)
      server.seen("\(proxy.cutCount) connections cut, \(proxy.resumedCount) downloads resumed")
      for bundle in try server.bundles(home) {
        let contents = home + "/archive/books/\(bundle)/book/text/contents.html"
        #expect(FileManager.default.fileExists(atPath: contents), "\(bundle)")
      }
    }
  }

  @Test func `a refused login ends the run and leaves the archive alone`() async throws {
    guard server.login != "none" else { return }
    try await TemporaryFolder.with("catalog") { home in
      let refused = try await server.archive(home, password: "wrong")
      #expect(refused.code == 3, "\(refused.output)")
      #expect(refused.output.contains("BOOKS_PASSWORD"))
      #expect(!refused.output.contains("wrong"))
      server.seen("a refused login ended the run")
    }
  }
}
