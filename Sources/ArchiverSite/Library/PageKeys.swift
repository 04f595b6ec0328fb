import ArchiverCore
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Hashes of the content of pages, so that unchanged pages are not rebuilt.
///
/// `.archiver/library/pages.tsv` has a line that identifies the program that built the pages, then
/// a line per page: its path and a hash of its content. If another program built them, or the file
/// is missing, all pages are rebuilt.
struct PageKeys {
  static let path = ".archiver/library/pages.tsv"
  private let program: String?
  /// The content hashes, by the hash of the path.
  private var known: [UInt64: UInt64] = [:]

  init(root: String) {
    program = PageKeys.programMark()
    let file = ArchiveFile(PageKeys.path, in: root).bytes ?? []
    var rest = file[...]
    func line() -> ArraySlice<UInt8>? {
      guard let end = rest.firstIndex(of: 0x0A) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return rest[..<end]
    }
    guard let program, line()?.elementsEqual(program.utf8) == true else { return }
    while let line = line() {
      guard let tab = line.lastIndex(of: 0x09), let key = PageKeys.number(line[(tab + 1)...]) else {
        continue
      }
      known[line[..<tab].withUnsafeBytes { WordHash.of($0) }] = key
    }
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    var number: UInt64 = 0
    for digit in digits {
      switch digit {
      case 0x30...0x39: number = number << 4 | UInt64(digit - 0x30)
      case 0x61...0x66: number = number << 4 | UInt64(digit - 0x61 + 10)
      default: return nil
      }
    }
    return (1...16).contains(digits.count) ? number : nil
  }

  func isKnown(_ path: String, _ key: UInt64) -> Bool { known[WordHash.of(path)] == key }

  /// The first line of the file; `nil` if this program cannot be identified.
  var header: [UInt8]? { program.map { Array("\($0)\n".utf8) } }

  /// Returns the line of a page.
  static func line(_ path: String, _ key: UInt64) -> [UInt8] {
    Array("\(path)\t\(String(key, radix: 16))\n".utf8)
  }

  /// Identifies this build of the program; other builds may render pages differently.
  private static func programMark() -> String? {
    #if os(Linux)
      let path = "/proc/self/exe"
    #else
      let path = CommandLine.arguments.first ?? ""
    #endif
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return "\(status.st_ino) \(status.st_size) \(time.tv_sec).\(time.tv_nsec)"
  }
}

/// The hash of everything that a page shows.
struct PageKey {
  private(set) var value: UInt64 = 0

  init(_ words: Words, _ sections: [LibraryShell.Section]) {
    add(words.language)
    for section in sections { add(section.rawValue) }
  }

  mutating func add(_ text: String) { value = WordHash.of(text, from: value) }

  mutating func add(_ number: Int) {
    value = WordHash.add(UInt64(bitPattern: Int64(number)), to: value)
  }

  mutating func add(_ rows: RowList) {
    value = WordHash.add(rows.table.mark, to: value)
    for row in rows { value = WordHash.add(row.mark, to: value) }
  }
}
