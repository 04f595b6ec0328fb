import ArchiverCore
import ArchiverTestKit
import Testing

/// Every surface reads the one outcome of an item: what is complete, incomplete or failed is so for the
/// exit code, the last line, the lists, the status, the verification, the library, the page and scripts.
@Suite struct SurfaceTests {
  /// The fate of one item of seven.
  enum Fate: String, CaseIterable, Sendable {
    /// A part from the source's own server is missing.
    case failed
    /// An image from another server is missing for now.
    case incomplete
    /// An image from another server was deleted.
    case goneForGood
    case complete
  }

  @Test(arguments: BuiltInSource.allCases, Fate.allCases)
  func `every surface says the same of an item`(kind: BuiltInSource, fate: Fate) async throws {
    try await SourceStage.with(kind) { stage in
      stage.addForeignPicture()
      stage.tamper { request, answer in
        if request.path.hasSuffix("foreign.gif") {
          return switch fate {
          case .incomplete: .text("busy", status: 503)
          case .goneForGood: .text("gone", status: 404)
          case .failed, .complete: .data(Stage.gif("foreign"), type: "image/gif")
          }
        }
        if fate == .failed, stage.isOwn(request, answer) {
          return .text("out of order", status: 500)
        }
        if request.path.hasSuffix("own.gif") { return .data(Stage.gif("own"), type: "image/gif") }
        // A feed without books causes an unrelated warning.
        return request.path == "/opds/empty"
          ? .data(
            Array("<feed xmlns=\"http://www.w3.org/2005/Atom\"/>".utf8), type: "application/xml")
          : answer
      }
      let (isFailed, isIncomplete) = (fate == .failed, fate == .incomplete)

      let run = try await stage.archiver(
        "run", "--source", kind.rawValue, "--metrics", stage.home + "/metrics")
      #expect(run.code == (isFailed ? 1 : 0))
      let last = run.error.split(separator: "\n").last ?? ""
      #expect(last.contains("see 'archiver list --failed'") == isFailed)
      #expect(last.contains("missing for now; it will be retried") == isIncomplete)
      #expect(last.contains("links to the original") == (fate == .goneForGood))
      #expect(last.hasPrefix("Archived ") == (fate == .complete))

      try await expectLists(stage, fate)
      try await expectStatus(stage, fate)
      let verification = try await stage.verify()
      #expect(verification.code == (isFailed ? 1 : 0))
      #expect(verification.output.contains("1 item lacks an essential part") == isFailed)

      try expectLibrary(stage, fate)
      try expectMetrics(stage, fate)
      // Again, with nothing due: silent unless something is still wrong.
      let quiet = try await stage.run()
      #expect(quiet.output.isEmpty && quiet.error.isEmpty, "\(quiet)")
      let waiting = try await stage.archiver("retry")
      #expect(waiting.output.contains("1 item that failed") == isFailed)
      let everything = try await stage.archiver("retry", "--all")
      #expect(
        everything.output.contains("1 item will be retried") == (isFailed || isIncomplete))
      let second = try await stage.run()
      #expect(second.code == (isFailed ? 1 : 0))
      #expect(second.error.isEmpty == !isFailed, "told only where an essential part is missing")
    }
  }

  private func expectLists(_ stage: SourceStage, _ fate: Fate) async throws {
    let nothing = "Nothing failed.\n"
    let failed = try await stage.archiver("list", "--failed").output
    #expect((failed == nothing) == (fate != .failed))
    let all = try await stage.archiver("list", "--failed", "--all").output
    #expect((all == nothing) == (fate == .complete || fate == .goneForGood))
    if fate == .incomplete {
      #expect(all.contains("an image is missing (the server answered 503"))
    }
    if fate == .failed { #expect(all.contains(stage.ownTitle), "\(all)") }
    for (status, has) in [("failed", fate == .failed), ("incomplete", fate == .incomplete)] {
      let list = try await stage.archiver("list", "--status", status, "--json").output
      #expect(list.split(separator: "\n").count == (has ? 1 : 0), "\(status): \(list)")
    }
  }

  private func expectStatus(_ stage: SourceStage, _ fate: Fate) async throws {
    let status = try await stage.archiver("status").output
    #expect(status.contains("some items fail") == (fate == .failed))
    #expect(status.contains("ok, 1 incomplete") == (fate == .incomplete))
    let check = try await stage.archiver("status", "--check")
    #expect(check.code == (fate == .failed ? 1 : 0))
    let json = try await stage.archiver("status", "--json").output
    #expect(json.contains("\"failing\":\(fate == .failed ? 1 : 0),"), "\(json)")
    #expect(json.contains("\"incomplete\":\(fate == .incomplete ? 1 : 0),"))
  }

  private func expectLibrary(_ stage: SourceStage, _ fate: Fate) throws {
    let script = try stage.text("library/status.js")
    #expect(script.contains("\"failureCount\":\(fate == .failed ? 1 : 0)"))
    #expect(script.contains("\"incomplete\":\(fate == .incomplete ? 1 : 0)"))
    let problems = try stage.text("library/problems.html").replacing(/<[^>]*>/, with: "")
    let reason =
      switch fate {
      case .failed: "500"
      case .incomplete: "503"
      case .goneForGood: "404"
      case .complete: ""
      }
    #expect(problems.contains("Items with missing parts") == (fate != .complete))
    #expect(problems.contains("· permanently lost") == (fate == .goneForGood))
    #expect(problems.contains("· next attempt") == (fate == .failed || fate == .incomplete))
    let pages = try stage.bundles().map {
      try stage.text("\($0.dropFirst(stage.archive.count))/index.html")
    }
    let told = pages.count { $0.contains("the server answered \(reason)") }
    #expect(told == (fate == .complete ? 0 : 1))
    if !reason.isEmpty {
      #expect(problems.contains("the server answered \(reason)"), "\(problems)")
    }
  }

  private func expectMetrics(_ stage: SourceStage, _ fate: Fate) throws {
    let text = String(
      decoding: try Data(contentsOf: URL(filePath: stage.home + "/metrics")), as: UTF8.self)
    let labels = "{source=\"\(stage.kind.rawValue)\",kind=\"\(stage.kind.rawValue)\"}"
    for (name, count) in [
      ("failing", fate == .failed ? 1 : 0), ("incomplete", fate == .incomplete ? 1 : 0),
    ] {
      #expect(text.contains("archiver_source_\(name)_items\(labels) \(count)\n"))
    }
    #expect(text.contains("archiver_run_exit_code \(fate == .failed ? 1 : 0)\n"))
  }
}

extension SourceStage {
  /// Adds an item with a picture of another server, and for Notion, which keeps its files elsewhere, one
  /// with a picture of its own server.
  fileprivate func addForeignPicture() {
    let picture = files.baseURL.absoluteString + "foreign.gif"
    switch kind {
    case .readeck:
      var bookmark = Stage.article(6)
      bookmark.html = (bookmark.html ?? "") + "<p><img src=\"\(picture)\" alt=\"foreign\"></p>"
      readeck.add(bookmark)
    case .notion:
      notion.addPage(
        "Page 6",
        blocks: [
          .text("paragraph", "Words of a page with a picture of another server"),
          FakeBlock("image", ["type": "external", "external": ["url": .string(picture)]]),
        ])
      let own = server.baseURL.absoluteString + "own.gif"
      notion.addPage(
        "Page 7",
        blocks: [
          .text("paragraph", "Words of a page with a picture of the source's own server"),
          FakeBlock("image", ["type": "external", "external": ["url": .string(own)]]),
        ])
    case .books:
      catalog.books.append(FakeCatalog.Book(1_000, pdf: Array("%PDF-1.4\nforeign\n%%EOF\n".utf8)))
      planted.set([picture], [server.baseURL.absoluteString + "files/1000.pdf"])
    }
  }

  /// The title of the item of which `isOwn` tells.
  fileprivate var ownTitle: String {
    switch kind {
    case .readeck: "Article 0"
    case .notion: "Page 7"
    case .books: "Book 0"
    }
  }

  /// Whether an answer is a part of one item that the source's own server is to deliver.
  fileprivate func isOwn(_ request: ServerRequest, _ answer: ServerResponse) -> Bool {
    switch kind {
    case .readeck: answer.content == Stage.gif("0one.gif")
    case .notion: request.path.hasSuffix("own.gif")
    case .books: request.path.hasSuffix("/files/0.pdf")
    }
  }

  fileprivate func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(archive)/\(path)")), as: UTF8.self)
  }
}
