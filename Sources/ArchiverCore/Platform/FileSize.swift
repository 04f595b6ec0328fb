/// The size of a file.
///
/// Uses stat, because the type of `FileManager`'s attribute depends on which parts of Foundation
/// are linked.
package enum FileSize {
  /// Returns the size in bytes; `nil` if the file does not exist or is not accessible.
  package static func of(_ path: String) -> Int? {
    var status = stat()
    // The caller reports the error.
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}
