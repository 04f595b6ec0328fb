import ArchiverCore
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What pages were made of, so that a page of what did not change is not made again.
///
/// `.archiver/library/pages.tsv` has a line that stands for the program that made them, then a line
/// for each page: its path and a hash of what it shows. Another program makes all pages anew, as does
/// this one without the file.
struct PageKeys {
  static let path = ".archiver/library/pages.tsv"
  private let program: String?
  private var known: [String: UInt64] = [:]
  private var current: [String: UInt64] = [:]

  init(root: String) {
    program = PageKeys.programMark()
    let file = ArchiveFile(PageKeys.path, in: root).bytes ?? []
    var lines = file.split(separator: 0x0A)[...]
    guard let program, lines.popFirst()?.elementsEqual(program.utf8) == true else { return }
    known.reserveCapacity(lines.count)
    for line in lines {
      guard let tab = line.lastIndex(of: 0x09), let key = PageKeys.number(line[(tab + 1)...]) else {
        continue
      }
      known[String(decoding: line[..<tab], as: UTF8.self)] = key
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

  func isKnown(_ path: String, _ key: UInt64) -> Bool { known[path] == key }

  mutating func note(_ path: String, _ key: UInt64) { current[path] = key }

  /// Returns the new file; `nil` when no page was looked at, or this program cannot be told from others.
  func changedBytes() -> [UInt8]? {
    guard let program, !current.isEmpty else { return nil }
    var bytes = Array("\(program)\n".utf8)
    for (path, key) in current.sorted(by: { $0.key < $1.key }) {
      bytes += path.utf8
      bytes.append(0x09)
      bytes += String(key, radix: 16).utf8
      bytes.append(0x0A)
    }
    return bytes
  }

  /// Tells this build of the program from any other, whose pages may look otherwise.
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

/// Puts together what a page shows.
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

  mutating func add(_ rows: some Sequence<LibraryRow>) {
    for row in rows { value = WordHash.add(row.fingerprint, to: value) }
  }
}
