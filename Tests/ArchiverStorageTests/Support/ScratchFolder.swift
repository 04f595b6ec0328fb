import ArchiverCore
import ArchiverTestKit

/// A temporary directory, removed on release.
final class ScratchFolder: Sendable {
  let path: String

  /// On tmpfs if available, where flushes are cheap.
  init(inMemory: Bool = false) throws {
    let memory = "/dev/shm"
    if inMemory, FileManager.default.fileExists(atPath: memory) {
      path = "\(memory)/archiver-\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } else {
      path = try TemporaryFolder.make("storage")
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)  // a failure only leaves garbage
  }

  func at(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: at(name)))
  }

  func text(of name: String) -> String? {
    bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
  }

  func bytes(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: at(name)).map { Array($0) }
  }
}
