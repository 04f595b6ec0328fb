#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Folders on the way to a place, made as they are needed.
package enum FolderPath {
  /// Creates a folder with those above it that are missing; what is there stays as it is.
  ///
  /// With the modes in use here only the owner may write there, however open the user's mask is: who
  /// else may could put anything in the place of what the folder is for.
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
