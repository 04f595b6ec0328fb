import ArchiverCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// calibre's `ebook-convert`, which makes EPUBs of books that the program does not read itself.
///
/// It runs with the rights of this process, without its variables, and writes only to a folder that is taken
/// away afterwards; what it makes is read like any other book of a stranger.
package struct BookProgram: Sendable {
  /// Why there is no EPUB.
  struct Failure: Error {
    /// As part of a sentence.
    let reason: String
  }

  private static let name = "ebook-convert"
  /// How often it is looked at, and how long it may take.
  private static let pause: UInt32 = 20_000
  private static let longest: Duration = .seconds(300)

  package let path: String
  private let searchPath: String
  private let time: Duration

  /// Endings by which the program knows what it is given, by the types that books are kept as.
  private static let endings = [
    "application/x-mobipocket-ebook": "mobi", "application/x-mobi8-ebook": "azw3",
    "application/rtf": "rtf", "image/vnd.djvu": "djvu",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  ]

  /// Looks for the program; `nil` where it is not installed.
  package init?(searchPath: String) {
    let folders = searchPath.split(separator: ":").filter { $0.hasPrefix("/") }
    let paths = folders.map { "\($0)/\(BookProgram.name)" }
    guard let found = paths.first(where: { access($0, X_OK) == 0 }) else { return nil }
    self.init(path: found, searchPath: searchPath)
  }

  init(path: String, searchPath: String, time: Duration = longest) {
    self.path = path
    self.searchPath = searchPath
    self.time = time
  }

  static func reads(_ mediaType: String) -> Bool { endings[mediaType] != nil }

  /// Makes an EPUB of a file, in a folder that is made for it and that the caller takes away.
  ///
  /// Blocks until the program has ended; it is stopped after five minutes and when the task is cancelled.
  func convert(_ file: String, mediaType: String, in folder: String) throws(Failure) -> String {
    guard let ending = BookProgram.endings[mediaType] else {
      throw Failure(reason: "it does not read files of this kind")
    }
    guard mkdir(folder, 0o700) == 0, let folder = BookProgram.absolute(folder),
      let file = BookProgram.absolute(file), symlink(file, "\(folder)/book.\(ending)") == 0
    else {
      throw Failure(reason: "no folder could be made for it: \(String(cString: strerror(errno)))")
    }
    let input = "\(folder)/book.\(ending)"
    let output = "\(folder)/book.epub"
    let child: pid_t
    do throws(ChildProgram.Failure) {
      child = try ChildProgram.start(
        path, [input, output], environment: environment(folder), output: .empty, error: .empty,
        hasOwnGroup: true)
    } catch {
      throw Failure(reason: "it could not be started: \(error.reason)")
    }
    let status = try wait(for: child)
    guard status == 0, access(output, R_OK) == 0 else {
      throw Failure(reason: "it ended with status \(status)")
    }
    return output
  }

  private static func absolute(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// Everything that it keeps for itself goes to the folder.
  private func environment(_ folder: String) -> [String: String] {
    var variables = [
      "PATH": searchPath, "LANG": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen",
      "CALIBRE_NO_NATIVE_FILEDIALOGS": "1",
    ]
    for name in [
      "HOME", "TMPDIR", "CALIBRE_CONFIG_DIRECTORY", "CALIBRE_TEMP_DIR", "CALIBRE_CACHE_DIRECTORY",
      "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
    ] {
      variables[name] = folder
    }
    return variables
  }

  private func wait(for child: pid_t) throws(Failure) -> Int {
    let clock = ContinuousClock()
    let deadline = clock.now + time
    while true {
      var status: Int32 = 0
      let ended = waitpid(child, &status, WNOHANG)
      if ended == child {
        return Int(status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + status & 0x7F)
      }
      guard ended == 0 || errno == EINTR else {
        throw Failure(reason: "nobody can say how it ended")
      }
      if clock.now > deadline || Task.isCancelled {
        kill(-child, SIGKILL)
        _ = waitpid(child, &status, 0)
        throw Failure(
          reason: Task.isCancelled ? "the run was stopped" : "it took longer than \(time)")
      }
      usleep(BookProgram.pause)
    }
  }
}
