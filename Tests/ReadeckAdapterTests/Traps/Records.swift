import ArchiverCore
import ArchiverTestKit
import Testing

@testable import ReadeckAdapter

extension ReadeckTrapTests {
  /// Members of a record that are absent, null or in another form than documented.
  struct Records {
    @Test func `reads a loading bookmark's nulls`() throws {
      let json = """
        {"id":"3ZjC8ERRR1G6o387oyKVXv","state":2,"loaded":false,"authors":null,"resources":{},
         "read_progress":"many","labels":null,"type":"hologram","updated":"soon","extra":[1,{}]}
        """
      let bookmark = try JSONDecoder().decode(Bookmark.self, from: Data(json.utf8))
      #expect(!bookmark.isLoaded)
      #expect(bookmark.authors == [])
      #expect(bookmark.readProgress == nil)
      #expect(bookmark.revision == "soon")
      let least = try JSONDecoder().decode(Bookmark.self, from: Data("{\"id\":\"x\"}".utf8))
      #expect(least.isLoaded)
      #expect(!least.hasArticle)
    }

    @Test(arguments: [
      ("2026-11-21T00:00:32.843606878Z", "2026-11-21T00:00:32.843606878Z"),
      ("2026-11-21T00:00:33.4775900Z", "2026-11-21T00:00:33.47759Z"),
      ("2023-06-01T06:00:00Z", "2023-06-01T06:00:00Z"),
      ("2023-06-01T06:00:00.000Z", "2023-06-01T06:00:00Z"),
      ("2023-06-01T06:00:00.5+02:00", "2023-06-01T04:00:00.5Z"),
      ("2023-06-01T06:00:00-11:30", "2023-06-01T17:30:00Z"),
    ])
    func `reads times of any precision and offset`(text: String, canonical: String) throws {
      let time = try #require(Timestamp(text))
      #expect(time.canonical == canonical)
      #expect(time.text == text)
    }

    @Test func `orders times by instant, to the nanosecond`() throws {
      let times = [
        "2026-11-21T00:00:00Z", "2026-11-21T00:00:00.000000001Z", "2026-11-21T00:00:00.1Z",
        "2026-11-21T01:00:00.11+01:00", "2026-11-21T00:00:01Z",
      ].compactMap { Timestamp($0) }
      #expect(times.count == 5)
      #expect(times.reversed().sorted() == times)
      #expect(Timestamp("2026-11-21T01:00:00.0+01:00") == Timestamp("2026-11-21T00:00:00Z"))
      #expect(abs((times.last?.date.timeIntervalSince(times[2].date) ?? 0) - 0.9) < 0.000_01)
    }
  }
}
