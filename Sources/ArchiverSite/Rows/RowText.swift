import ArchiverCore
import ArchiverStorage

/// A buffer from which rows decode their texts.
final class RowBytes: Sendable {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}

/// The texts of a row, encoded sequentially.
struct RowText: Sendable {
  /// The texts at the start, in this order.
  enum Field: Int {
    case title, folder, id, contentHash
  }

  private static let fieldCount = 4

  private let bytes: RowBytes
  private let start: Int

  /// `start` is the offset of the texts.
  init(_ bytes: RowBytes, _ start: Int) {
    self.bytes = bytes
    self.start = start
  }

  init(_ item: CatalogItem, _ words: Words) {
    let metadata = item.metadata
    var writer = RowWriter()
    writer.put(metadata.displayTitle(words))
    writer.put(item.folder)
    writer.put(item.key.id)
    writer.put(String(item.contentHash.prefix(16)))
    writer.put(item.thumbnail != nil)
    if let thumbnail = item.thumbnail {
      writer.put(thumbnail.path)
      writer.put(thumbnail.width)
      writer.put(thumbnail.height)
    }
    writer.put(metadata.authors.filter { !$0.isEmpty }) { $0.put($1) }
    let place = SeriesPlace(metadata)
    writer.put(place != nil)
    place?.encode(to: &writer)
    self.init(RowBytes(writer.bytes), 0)
  }

  func encode(to writer: inout RowWriter) {
    let end = read { reader in
      for _ in 0..<RowText.fieldCount { reader.skipText() }
      _ = RowText.thumbnail(&reader)
      _ = RowText.authors(&reader)
      _ = RowText.place(&reader)
      return reader.place
    }
    writer.put(bytes.bytes[start..<end])
  }

  subscript(_ field: Field) -> String {
    read { reader in
      for _ in 0..<field.rawValue { reader.skipText() }
      return reader.text()
    }
  }

  var thumbnail: CatalogItem.Thumbnail? { rest(RowText.thumbnail) }

  var authors: [String] {
    rest { reader in
      _ = RowText.thumbnail(&reader)
      return RowText.authors(&reader)
    }
  }

  var place: SeriesPlace? {
    rest { reader in
      _ = RowText.thumbnail(&reader)
      _ = RowText.authors(&reader)
      return RowText.place(&reader)
    }
  }

  private func read<Value>(_ body: (inout RowReader) -> Value) -> Value {
    bytes.bytes.withUnsafeBytes { bytes in
      var reader = RowReader(bytes, from: start)
      return body(&reader)
    }
  }

  private func rest<Value>(_ body: (inout RowReader) -> Value) -> Value {
    read { reader in
      for _ in 0..<RowText.fieldCount { reader.skipText() }
      return body(&reader)
    }
  }

  private static func thumbnail(_ reader: inout RowReader) -> CatalogItem.Thumbnail? {
    guard reader.bool() else { return nil }
    return CatalogItem.Thumbnail(
      path: reader.text(), width: reader.optionalInt(), height: reader.optionalInt())
  }

  private static func authors(_ reader: inout RowReader) -> [String] { reader.list { $0.text() } }

  private static func place(_ reader: inout RowReader) -> SeriesPlace? {
    reader.bool() ? SeriesPlace(&reader) : nil
  }
}
