import ArchiverCore
import ArchiverEPUB
import ArchiverStorage

/// Tells whether a file ends as its format requires, for formats that are kept without being opened
/// and for those whose readers accept any part of a file.
enum FileEnd {
  /// The number of bytes that are examined at the beginning and at the end of a file.
  private static let window = 66_000

  /// Returns what a truncated file lacks, as a sentence without its full stop; `nil` for whole files
  /// and other formats.
  static func defect(
    of file: StoredObject, mediaType: String, in pool: ObjectPool
  ) throws(StorageError) -> String? {
    guard let check = checks[mediaType] else { return nil }
    let count = file.byteCount
    let head = try pool.read(file, 0..<min(count, window))
    let tail = count <= window ? head : try pool.read(file, (count - window)..<count)
    return check(head, tail, count)
  }

  private typealias Check = @Sendable (_ head: [UInt8], _ tail: [UInt8], _ count: Int) -> String?

  private static let checks: [String: Check] = {
    let zip: Check = { _, tail, _ in
      tail.firstIndex(of: "PK\u{5}\u{6}") != nil
        ? nil : "it lacks the directory at the end of ZIP files"
    }
    return [
      "application/pdf": { _, tail, _ in
        // Writers disagree about what follows these (ISO 32000-1, 7.5.5).
        tail.firstIndex(of: "startxref") != nil || tail.firstIndex(of: "%%EOF") != nil
          ? nil : "it lacks the end of a PDF"
      },
      FictionBook.mediaType: { _, tail, _ in
        // The root element may have a prefix, and its text two bytes a character.
        tail.filter { $0 > 0x20 }.firstIndex(of: "FictionBook>") != nil
          ? nil : "it lacks the end of a FictionBook"
      },
      "application/zip": zip,
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document": zip,
      "application/x-mobipocket-ebook": palmDatabase, "application/x-mobi8-ebook": palmDatabase,
      DjVuPrograms.mediaType: { head, _, count in
        // An IFF chunk behind four bytes: its name and its size.
        guard let size = number(head, 8, bytes: 4) else { return "it lacks its beginning" }
        return count >= 12 + size ? nil : "it has \(count) of \(12 + size) bytes"
      },
      "application/rtf": { _, tail, _ in
        let last = tail.last { $0 > 0x20 }
        return last == UInt8(ascii: "}") ? nil : "it lacks the end of an RTF document"
      },
    ]
  }()

  /// A database of records with a list of their offsets.
  private static let palmDatabase: Check = { head, _, count in
    // The other formats with these types have no list.
    guard head.count >= 68,
      ["BOOKMOBI", "TEXtREAd"].contains(where: { head[60...].starts(with: $0.utf8) })
    else { return nil }
    guard let records = number(head, 76, bytes: 2), records > 0,
      let last = number(head, 78 + 8 * (records - 1), bytes: 4)
    else { return "it lacks the list of its records" }
    return last < count ? nil : "it lacks records after byte \(count)"
  }

  /// Returns a big-endian number; `nil` behind the end.
  private static func number(_ bytes: [UInt8], _ place: Int, bytes count: Int) -> Int? {
    guard place + count <= bytes.count else { return nil }
    return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
  }
}
