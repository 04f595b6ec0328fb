import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Testing

@testable import ArchiverSite

extension InBrowser {
  @Suite(.serialized) struct MissingFilesTests {
    @Test(arguments: LibraryBrowser.Name.allCases)
    func `a file of the library that is missing costs its items only, and is told`(
      name: LibraryBrowser.Name
    ) async throws {
      guard let browser = try await LibraryBrowser.start(name) else { return }
      try await TemporaryFolder.with("library") { root in
        var sample = SampleArchive(seed: 2)
        let items = (0..<600).map { number in
          var item = sample.item(number)
          item.firstArchived = SampleArchive.now.addingTimeInterval(Double(number))
          item.metadata.title = "Item \(number)"
          return item
        }
        _ = try LibraryBuilder(
          root: root, catalog: MemoryCatalog(items), text: SearchText { _ in "harbour" }
        ).update(isChanged: true)
        let alert = "document.querySelector('#results [role=alert]')"
        let count = "document.querySelectorAll('#results .item').length"
        try await browser.open("file://\(root)/index.html#sort=archived&view=list")
        #expect(try await browser.becomes("\(count) === 48"))
        #expect(try await browser.run("return \(alert) === null;").bool == true)
        for path in [ItemData.path(1), RecordData.path(37)] {
          try FileManager.default.removeItem(atPath: "\(root)/\(path)")
        }
        try await browser.open("file://\(root)/library/labels.html")
        try await browser.open("file://\(root)/index.html#sort=archived&view=list")
        #expect(try await browser.becomes("\(alert)"))
        let text = try await browser.run("return document.body.textContent;").string ?? ""
        #expect(text.contains("Some of the library's data could not be loaded"))
        // Items 512 to 599 are there, of which the records of 592 to 599 are missing.
        #expect(try await browser.titles().first == "Item 591")
        #expect(text.contains("344 items"), "\(text.prefix(300))")
        try await browser.open("file://\(root)/library/labels.html")
        try await browser.open("file://\(root)/index.html#q=harbour%20-label:zzz&sort=archived")
        #expect(try await browser.becomes("\(alert) && \(count) > 0"))
        let found = try await browser.run("return document.body.textContent;").string ?? ""
        #expect(found.contains("344 items"))
      }
      await browser.quit()
    }
  }
}
