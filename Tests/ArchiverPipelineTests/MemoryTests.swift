import ArchiverCore
import ArchiverPipeline
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

#if canImport(Glibc)
  extension HeavyTests {
    /// The memory of a run without changes on a large archive.
    @Suite(.serialized) struct MemoryTests {
      private static let isLong = ProcessInfo.processInfo.environment["ARCHIVER_TORTURE"] == "long"
      private static let count = isLong ? 100_000 : 10_000

      @Test func `a large archive is planned and finished within 150 MB`() async throws {
        let source = ScriptedSource()
        source.state.withLock { $0.pageSize = 2_000 }
        for number in 0..<MemoryTests.count {
          source.set(
            ScriptedSource.Item(
              id: "item\(number)", title: "Article \(number)", html: "<p>words</p>",
              date: Date(timeIntervalSince1970: 1_700_000_000 + Double(number))))
        }
        try await Bench.with(source) { bench in
          try fill(bench.archive)
          try FileManager.default.createDirectory(
            atPath: bench.archive.path + "/library", withIntermediateDirectories: true)
          // With the start page, the library is considered complete.
          try Data("x".utf8).write(to: URL(filePath: bench.archive.path + "/library/index.html"))
          try Data("x".utf8).write(to: URL(filePath: bench.archive.path + "/index.html"))

          let before = try figure("VmRSS:")
          try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
          let start = ContinuousClock.now
          let report = try await bench.run()
          let time = ContinuousClock.now - start
          let growth = try figure("VmHWM:") - before
          #expect(report.unchanged == MemoryTests.count)
          #expect(report.archived == 0)
          #expect(growth < 150_000, "\(growth) kB")
          print(
            "\(MemoryTests.count) unchanged items: planned and finished in \(time), \(growth) kB more memory at the most"
          )
        }
      }

      /// Adds the items to the catalog without their bundles.
      private func fill(_ archive: Archive) throws {
        for start in stride(from: 0, to: MemoryTests.count, by: 1_000) {
          let intents = (start..<start + 1_000).map { number in
            let item = CatalogItem(
              key: ItemKey(source: "scripted", id: "item\(number)"), revision: "1",
              folder: "scripted/item-\(number)",
              metadata: ItemMetadata(kind: .article, title: "Article \(number)"),
              firstArchived: Date(timeIntervalSince1970: 1_700_000_000),
              lastArchived: Date(timeIntervalSince1970: 1_700_000_000 + Double(number)),
              contentHash: String(repeating: "0", count: 64), byteCount: 10_000)
            return Intent.publish(
              Publication(
                item: item, assets: [], objects: [], retryImagesAt: nil, manifest: "", staged: ""))
          }
          try archive.catalog.record(intents)
        }
      }

      /// A memory statistic of the process in kB.
      private func figure(_ name: String) throws -> Int {
        let status = String(
          decoding: try Data(contentsOf: URL(filePath: "/proc/self/status")), as: UTF8.self)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) })
        return try #require(Int(line.filter(\.isNumber)))
      }
    }
  }
#endif
