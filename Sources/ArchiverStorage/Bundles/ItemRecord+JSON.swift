package import ArchiverCore

extension ItemRecord {
  /// Parses an `item.json`. Fails with `.damaged`, or with `.tooNew` for a later format.
  package init(json bytes: [UInt8], path: String) throws(StorageError) {
    struct Header: Decodable {
      let format: Int
    }
    do {
      let data = Data(bytes)
      let decoder = JSONDecoder()
      decoder.dateDecodingStrategy = .custom(ItemRecord.date)
      let format = try decoder.decode(Header.self, from: data).format
      guard format <= ItemRecord.currentFormat else {
        throw StorageError(.tooNew, "\(path) has format \(format); update archiver to read it")
      }
      self = try decoder.decode(ItemRecord.self, from: data)
    } catch let error as StorageError {
      throw error
    } catch {
      throw StorageError(.damaged, "\(path) is not an item record: \(error)", underlying: error)
    }
  }

  /// Reads the record of a bundle; `nil` if it is missing or unreadable. Fails with `.tooNew` for a
  /// later format.
  init?(ifReadableIn bundle: Folder) throws(StorageError) {
    do throws(StorageError) {
      guard try bundle.status(ItemRecord.fileName)?.kind == .file else { return nil }
      let bytes = try OpenFile.reading(ItemRecord.fileName, in: bundle).readAll()
      try self.init(json: bytes, path: bundle.at(ItemRecord.fileName))
    } catch {
      guard error.isOfOneBundle else { throw error }
      return nil
    }
  }

  /// Returns the bytes of `item.json`, ending with a line feed.
  package func json() throws(StorageError) -> [UInt8] {
    let encoder = ItemRecord.encoder([.sortedKeys, .prettyPrinted, .withoutEscapingSlashes])
    do {
      return try Array(encoder.encode(self)) + [0x0A]
    } catch {
      throw StorageError(.io, "item \"\(id)\" has no record: \(error)", underlying: error)
    }
  }

  /// Returns an encoder that writes dates as records have them.
  package static func encoder(_ formatting: JSONEncoder.OutputFormatting) -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(ItemRecord.text(date))
    }
    return encoder
  }

  /// Milliseconds are written only if they are not zero: most sources deliver whole seconds. They are
  /// rounded, so that a date that is read and written again loses none.
  private static func text(_ date: Date) -> String {
    let milliseconds = (date.timeIntervalSinceReferenceDate * 1000).rounded()
    let seconds = (milliseconds / 1000).rounded(.down)
    let text = UTCTime.text(Date(timeIntervalSinceReferenceDate: seconds))
    let rest = Int(exactly: milliseconds - seconds * 1000) ?? 0
    return rest == 0 ? text : text.dropLast() + ".\(String(1000 + rest).dropFirst())Z"
  }

  private static func date(_ decoder: any Decoder) throws -> Date {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let date = UTCTime.date(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is not a time")
    }
    return date
  }
}
