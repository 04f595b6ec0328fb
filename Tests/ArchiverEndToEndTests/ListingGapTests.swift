import ArchiverCore
import ArchiverTestKit
import Testing

/// Gaps of a list are reported on every run, not only on the first.
@Suite struct ListingGapTests {
  @Test func `an entry of the list that cannot be read is reported until it can`() async throws {
    try await SourceStage.with(.readeck) { stage in
      stage.tamper { request, answer in
        // The entry is old: an incremental listing does not include it.
        guard request.method == "GET", request.path == "/api/bookmarks/sync",
          request.parameter("since") == nil
        else { return answer }
        let text = String(decoding: answer.content, as: UTF8.self)
        let isEmpty = text.contains("[]")
        return .json(text.replacing("]", with: (isEmpty ? "" : ",") + "{\"id\":7}]"))
      }
      for night in 1...3 {
        let run = try await stage.run()
        #expect(run.code == 1, "night \(night): \(run)")
        #expect(run.error.contains("was left out"), "night \(night): \(run.error)")
        #expect(stage.bundles().count == SourceStage.count)
        #expect(try await stage.archiver("status", "--check").code == 1, "night \(night)")
      }
      stage.tamper(nil)
      let mended = try await stage.run()
      #expect(mended.code == 0 && mended.error.isEmpty, "\(mended)")
      #expect(try await stage.archiver("status", "--check").code == 0)
    }
  }
}
