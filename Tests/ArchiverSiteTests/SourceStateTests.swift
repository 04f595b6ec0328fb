import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  /// What the pages of sources and of problems say of sources that fail.
  @Suite(.serialized) struct SourceStateTests {
    private func source(_ name: String, items: Int, failure: String?) -> JSONValue {
      let time: JSONValue = "2026-11-19T00:00:00Z"
      return [
        "source": .string(name), "kind": "x", "items": .integer(items), "bytes": 9, "waiting": 0,
        "incomplete": 0, "failing": 0, "lastSuccess": failure == nil ? time : .null,
        "failingSince": failure == nil ? .null : time,
        "runs": [
          [
            "started": time, "finished": time, "archived": 0, "failed": 0,
            "outcome": failure == nil ? "ok" : "sourceFailed",
            "failure": failure.map { .string($0) } ?? .null,
          ]
        ],
      ]
    }

    @Test func `the pages of sources and of problems name a failing source without items`()
      async throws
    {
      guard let browser = try await LibraryBrowser.start(.chromium) else { return }
      try await TemporaryFolder.with("states") { root in
        try BrowsedArchive.write(to: root)
        let status: JSONValue = [
          "failures": [], "failureCount": 0,
          "sources": [
            source("readeck", items: 6, failure: nil),
            source("empty", items: 0, failure: "The token was refused"),
          ],
        ]
        try Data(ScriptData.assignment("var archiverStatus", status))
          .write(to: URL(fileURLWithPath: root + "/library/status.js"))
        try await browser.open("file://\(root)/library/sources.html")
        #expect(try await browser.becomes("document.querySelectorAll('.health li').length === 2"))
        let first = try await browser.run("return document.querySelector('.health li').innerText;")
        #expect(
          first.string?.contains(/empty failing since .*nothing.*: The token was refused/) == true)
        try await browser.open("file://\(root)/library/problems.html")
        #expect(try await browser.becomes("document.querySelector('#failures li')"))
        let problems = try await browser.run(
          "return document.getElementById('failures').innerText;")
        #expect(
          problems.string?.contains(/Sources that failed\s+empty .*\s+The token was refused/)
            == true)
      }
      await browser.quit()
    }
  }
}
