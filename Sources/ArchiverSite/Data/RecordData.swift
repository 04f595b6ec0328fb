import ArchiverCore
import ArchiverStorage

/// `library/data/records-N.js`: the data of items in lists, 16 items per file.
///
///     archiverData.records(N, [[FOLDER, TITLE, LANGUAGE, DIRECTION, TEXT, PICTURE, WIDTH, HEIGHT, HUE], …]);
///
/// `PICTURE` is 0 without an image; `WIDTH` and `HEIGHT` are 0 if they are unknown.
enum RecordData {
  static let size = 16

  static func path(_ number: Int) -> String { "library/data/records-\(number).js" }

  static func script(_ number: Int, _ rows: [LibraryRow]) -> [UInt8] {
    ScriptData.call(
      "archiverData.records", [.integer(number), .array(rows.map(record))])
  }

  private static func record(_ row: LibraryRow) -> JSONValue {
    .array([
      .string(SiteText.path(row.folder)), .string(row.title), .string(row.language ?? ""),
      .string(row.direction.rawValue), .string(row.textName),
      row.thumbnail.map { .string(SiteText.path($0.path)) } ?? .integer(0),
      .integer(row.thumbnail?.width ?? 0), .integer(row.thumbnail?.height ?? 0),
      .integer(Tile.hue(row)),
    ])
  }
}
