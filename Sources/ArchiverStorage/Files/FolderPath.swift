import ArchiverCore

/// Creates directories with their missing parents.
package enum FolderPath {
  /// Creates a directory and its missing parents; existing ones stay unchanged.
  ///
  /// With the modes used here only the owner may write there, whatever the umask: another user
  /// could replace the files in it.
  package static func make(_ path: String, mode: UInt32 = 0o755) throws(StorageError) {
    guard access(path, F_OK) != 0 else { return }
    var partial = path.hasPrefix("/") ? "/" : ""
    for component in path.pathComponents where !component.isEmpty {
      partial += partial.isEmpty || partial.hasSuffix("/") ? component : "/\(component)"
      guard access(partial, F_OK) != 0 else { continue }
      guard mkdir(partial, mode_t(mode)) == 0 || errno == EEXIST else {
        throw .file(errno, "create", partial)
      }
    }
  }
}
