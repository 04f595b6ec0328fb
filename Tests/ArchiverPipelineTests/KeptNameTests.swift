import Testing

@testable import ArchiverPipeline

/// Only plain names of tables and records become names of files.
struct KeptNameTests {
  @Test(arguments: [
    ("text/csv", "database.csv"), ("application/json", "database.json"),
    ("text/csv", "database-2.csv"),
  ])
  func `a table or record keeps a plain name`(type: String, name: String) {
    #expect(ItemAssets.keptPath(type, name) == "assets/\(name)")
  }

  @Test(arguments: [
    ("text/csv", "../../evil.csv"), ("text/csv", "Database.csv"), ("text/csv", "con.csv"),
    ("text/csv", "database.json"), ("text/html", "database.html"), ("text/csv", ".csv"),
    ("text/csv", "data base.csv"), ("text/csv", "-rf-all.csv"), ("text/csv", "database\u{301}.csv"),
    ("text/csv", String(repeating: "a", count: 41) + ".csv"), ("text/csv", "database.csv\0"),
    ("image/png", "database.png"),
  ])
  func `any other name becomes nil`(type: String, name: String) {
    #expect(ItemAssets.keptPath(type, name) == nil)
  }
}
