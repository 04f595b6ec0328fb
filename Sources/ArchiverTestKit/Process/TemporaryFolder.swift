import ArchiverCore

/// Folders for tests, all inside one that the system cleans up.
package enum TemporaryFolder {
  /// Creates an empty folder and returns its path.
  package static func make(_ name: String) throws -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/archiver-\(name).XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw ChildProcess.Failure("mkdtemp \(base): \(String(cString: strerror(errno)))")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Creates a folder, passes it to `body` and removes it afterwards.
  package static func with<T>(
    _ name: String, _ body: (String) async throws -> T
  ) async throws -> T {
    let path = try make(name)
    defer { remove(path) }
    return try await body(path)
  }

  /// Removes a folder with its content; failures are ignored.
  package static func remove(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)  // litter, as said
  }
}
