import ArchiverCore

/// A source program: an executable file `archiver-source-NAME`.
package struct SourceProgram: Sendable, Hashable {
  /// The part of the file's name after `archiver-source-`, which is also the kind in its
  /// description.
  package let name: String
  /// The absolute path of the file.
  package let path: String

  package init(name: String, path: String) {
    self.name = name
    self.path = path
  }

  static let prefix = "archiver-source-"

  /// Finds the programs in `$XDG_DATA_HOME/archiver/sources` and on `PATH`, by name.
  ///
  /// The first of several with the same name is used. Relative directories in `PATH` are skipped,
  /// so that the result does not depend on the working directory.
  package static func installed(variables: [String: String], home: String) -> [SourceProgram] {
    let data = variables["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    var folders = ["\(data ?? home + "/.local/share")/archiver/sources"]
    folders += (variables["PATH"] ?? "").split(separator: ":").map(String.init)
    var found: [String: SourceProgram] = [:]
    for folder in folders where folder.hasPrefix("/") {
      // A missing or unreadable directory has no programs.
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      for file in names where file.hasPrefix(prefix) {
        let name = String(file.dropFirst(prefix.count))
        let path = "\(folder)/\(file)"
        if found[name] == nil, isExecutable(path) {
          found[name] = SourceProgram(name: name, path: path)
        }
      }
    }
    return found.values.sorted { $0.name < $1.name }
  }

  private static func isExecutable(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && access(path, X_OK) == 0
  }
}
