import ArchiverMarkup

/// Paths in a container: relative to its root and separated by `/`.
enum EntryPath {
  /// Whether a name stays inside the book on every operating system.
  static func isSafe(_ name: String) -> Bool {
    guard !name.hasPrefix("/"), !name.contains("\\"), !name.utf8.contains(0),
      name.utf8.count <= 4_096, !isDrive(name)
    else { return false }
    return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
      $0 != ".." && $0 != "." && !$0.isEmpty
    }
  }

  /// Returns a normalised name: with `/` for the `\` of Windows and without `.` and empty segments.
  static func plain(_ name: String) -> String {
    let slashes = String(name.map { $0 == "\\" ? "/" : $0 })
    if slashes.hasPrefix("/") { return slashes }
    return slashes.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
  }

  /// Resolves a reference against the path of its file; `nil` if it leads to another host. One that
  /// begins with `/` is relative to the book's root, above which `..` does not lead (EPUB 3.3 section
  /// 4.2.5); `\` counts as `/`, as on Windows. Decodes percent-encoding; query and fragment must have
  /// been removed.
  static func resolve(_ reference: String, from file: String) -> String? {
    let decoded = String(PercentEncoding.decoded(reference).map { $0 == "\\" ? "/" : $0 })
    guard !decoded.hasPrefix("//") else { return nil }
    var parts =
      decoded.hasPrefix("/") ? [] : file.split(separator: "/").dropLast().map(String.init)
    for part in decoded.split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(String(part))
      }
    }
    let path = parts.joined(separator: "/")
    return isSafe(path) ? path : nil
  }

  /// Returns the file name of a path.
  static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Whether a name begins with a drive letter.
  private static func isDrive(_ name: String) -> Bool {
    let start = Array(name.utf8.prefix(2))
    return start.count == 2 && start[1] == 0x3A && (0x61...0x7A).contains(start[0] | 0x20)
  }
}
