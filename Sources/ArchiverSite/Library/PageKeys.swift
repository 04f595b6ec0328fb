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
    let file = FileManager.default.contents(atPath: "\(root)/\(PageKeys.path)") ?? Data()
    var lines = file.split(separator: 0x0A)[...]
    guard let program, lines.popFirst()?.elementsEqual(program.utf8) == true else { return }
    for line in lines {
      guard let tab = line.firstIndex(of: 0x09),
        let key = UInt64(
          String(decoding: line[line.index(after: tab)...], as: UTF8.self), radix: 16)
      else { continue }
      known[String(decoding: line[..<tab], as: UTF8.self)] = key
    }
  }

  func isKnown(_ path: String, _ key: UInt64) -> Bool { known[path] == key }

  mutating func note(_ path: String, _ key: UInt64) { current[path] = key }

  /// Returns the new file; `nil` when no page was looked at, or this program cannot be told from others.
  func changedBytes() -> [UInt8]? {
    guard let program, !current.isEmpty else { return nil }
    let lines = current.sorted { $0.key < $1.key }
      .map { "\($0.key)\t\(String($0.value, radix: 16))\n" }
    return Array("\(program)\n\(lines.joined())".utf8)
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
