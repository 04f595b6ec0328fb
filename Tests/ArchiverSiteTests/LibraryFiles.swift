import ArchiverCore

/// All bytes of a library, for comparison.
enum LibraryFiles {
  /// Returns the bytes of `index.html` and of every file under `library/`, by path.
  static func of(_ root: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    var rest = ["index.html", "library"]
    while let path = rest.popLast() {
      if let data = FileManager.default.contents(atPath: "\(root)/\(path)") {
        files[path] = data
      } else if FileManager.default.fileExists(atPath: "\(root)/\(path)") {
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(path)")
        rest += names.map { "\(path)/\($0)" }
      }
    }
    return files
  }
}
