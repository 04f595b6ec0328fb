import ArchiverCore

/// A folder of the system's temporary ones, removed when it is let go.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appending(path: "archiver-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)  // left-overs of tests do no harm
  }

  func at(_ name: String) -> String { "\(path)/\(name)" }
}
