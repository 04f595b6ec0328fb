import ArchiverCore
import Testing

@testable import ArchiverStorage

@Suite struct DerivedDatabaseTests {
  private static let schema =
    "CREATE TABLE IF NOT EXISTS word (name TEXT PRIMARY KEY, length INTEGER NOT NULL)"
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func open() throws -> DerivedDatabase {
    let database = try DerivedDatabase(path: folder.at("derived.sqlite"))
    try database.begin(DerivedDatabaseTests.schema)
    return database
  }

  private func fill(_ database: DerivedDatabase) throws {
    for word in ["bee", "map", "river"] {
      try database.run("INSERT INTO word VALUES (?, ?)", [word, word.count])
    }
  }

  private func names(_ database: DerivedDatabase) throws -> [String] {
    var names: [String] = []
    try database.rows("SELECT name FROM word ORDER BY name") { names.append($0.text(0)) }
    return names
  }

  @Test func `what is not committed is undone`() throws {
    try fill(open())
    let database = try open()
    #expect(try names(database).isEmpty)
    try fill(database)
    #expect(try database.commit())
    let reopened = try open()
    #expect(try names(reopened) == ["bee", "map", "river"])
    #expect(try !reopened.commit(), "nothing changed")
  }

  @Test func `a statement gives its rows for each value, in the order of the values`() throws {
    let database = try open()
    try fill(database)
    var found: [String] = []
    try database.rows("SELECT name FROM word WHERE length = ? ORDER BY name", each: [5, 4, 3]) {
      found.append($0.text(0))
    }
    #expect(found == ["river", "bee", "map"])
  }

  @Test func `a change tells how many rows it changed`() throws {
    let database = try open()
    try fill(database)
    #expect(try database.run("DELETE FROM word WHERE length = ?", [3]) == 2)
    #expect(try database.run("DELETE FROM word WHERE length = ?", [3]) == 0)
  }
}
