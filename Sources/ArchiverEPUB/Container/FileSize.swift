#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How large a file is.
///
/// Asked of the system: what `FileManager` gives for it is of another type where Foundation is only in part
/// there, as in the program, than where all of it is loaded, as in tests.
package enum FileSize {
  /// Returns the bytes of a file; `nil` when there is none, or it cannot be asked for.
  package static func of(_ path: String) -> Int? {
    var status = stat()
    // What cannot be asked for is what the caller has a word for.
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }
}
