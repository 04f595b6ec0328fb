/// The division of the data of all items into files.
struct DataSizes: Sendable {
  /// The number of items above which a library has columns.
  var limit = 8_192
  /// The number of items in a file of `ColumnData`.
  var column = 8_192
  /// The number of items in a file of `ItemData` in a library with columns. Lists load such files
  /// only for the few items that they show, which may be anywhere.
  var itemsBesideColumns = 16

  /// Returns the number of items of a file of `ColumnData` in a library of `count` items; `nil` if
  /// it has none.
  func column(_ count: Int) -> Int? { count > limit ? column : nil }

  /// Returns the number of files of `NameLists` of each kind in a library of `count` items: a power of
  /// two, so that names rarely move, and about one for each file of a kind of `ColumnData`.
  func lists(_ count: Int) -> Int {
    var files = 1
    while files * column < count { files *= 2 }
    return files
  }

  /// Returns the number of items of a file of `ItemData` in a library of `count` items.
  func items(_ count: Int) -> Int { count > limit ? itemsBesideColumns : ItemData.size }
}
