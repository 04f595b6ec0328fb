import ArchiverCore
import ArchiverStorage
import ArchiverTestKit
import Synchronization
import Testing

@testable import ArchiverSite

/// The memory of an update grows less than the rows of the archive.
@Suite struct LibraryMemoryTests {
  /// Weak references to rows.
  private final class Seen: Sendable {
    private struct Weak {
      weak var row: LibraryRow?
    }

    private let state = Mutex<(rows: [Weak], count: Int, most: Int)>(([], 0, 0))

    /// The total number of rows, and the maximum alive at a time.
    var figures: (count: Int, most: Int) { state.withLock { ($0.count, $0.most) } }

    func see(_ row: LibraryRow) {
      state.withLock { state in
        state.rows.append(Weak(row: row))
        state.count += 1
        guard state.count % 50 == 0 else { return }
        state.rows.removeAll { $0.row == nil }
        state.most = max(state.most, state.rows.count)
      }
    }
  }

  @Test func `only rows whose texts are being read are in memory, however many there are`()
    async throws
  {
    try await TemporaryFolder.with("site") { root in
      var sample = SampleArchive(seed: 31)
      let catalog = MemoryCatalog(sample.items(4_700))
      for _ in 0..<2 {
        let seen = Seen()
        let text = SearchText { row in
          seen.see(row)
          return "Short."
        }
        _ = try LibraryBuilder(root: root, catalog: catalog, text: text).rebuild()
        #expect(seen.figures.count == 4_700)
        #expect(seen.figures.most > 10)
        #expect(seen.figures.most <= 128)
      }
    }
  }
}
