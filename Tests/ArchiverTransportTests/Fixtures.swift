import ArchiverCore

/// Test data that is shared by several projects and not part of this one.
enum Fixtures {
  /// Its path: named by `ARCHIVER_FIXTURES`, else beside the project; `nil` if absent.
  static let folder: String? = {
    var candidates = [String]()
    if let named = ProcessInfo.processInfo.environment["ARCHIVER_FIXTURES"] {
      candidates.append(named)
    }
    var parts = #filePath.split(separator: "/").dropLast()
    while let last = parts.popLast(), last != "Tests" {}
    candidates.append("/" + parts.dropLast().joined(separator: "/") + "/shared/fixtures")
    return candidates.first { FileManager.default.fileExists(atPath: $0) }
  }()

  static func contents(_ path: String) -> Data? {
    folder.flatMap { FileManager.default.contents(atPath: "\($0)/\(path)") }
  }
}
