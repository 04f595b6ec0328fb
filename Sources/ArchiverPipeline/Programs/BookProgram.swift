import ArchiverCore

/// calibre's `ebook-convert`, which converts formats that the program does not read itself to EPUB.
///
/// It runs with the rights of this process, without its environment, and writes only to a temporary
/// directory. Its output is untrusted, like any other book.
package struct BookProgram: Sendable {
  /// Why there is no EPUB.
  struct Failure: Error {
    /// The reason as part of a sentence.
    let reason: String
  }

  private static let name = "ebook-convert"
  /// The time limit.
  static let longest: Duration = .seconds(300)

  package let path: String
  private let searchPath: String
  private let time: Duration

  /// The file name extensions that the program expects, by stored type.
  private static let endings = [
    "application/x-mobipocket-ebook": "mobi", "application/x-mobi8-ebook": "azw3",
    "application/rtf": "rtf", "image/vnd.djvu": "djvu",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  ]

  /// Finds the program; `nil` if it is not installed.
  package init?(searchPath: String) {
    guard let found = BookProgram.find(BookProgram.name, in: searchPath) else { return nil }
    self.init(path: found, searchPath: searchPath)
  }

  /// Returns the path of a program in a search path, whose relative directories are skipped.
  static func find(_ name: String, in searchPath: String) -> String? {
    searchPath.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 }
  }

  init(path: String, searchPath: String, time: Duration = longest) {
    self.path = path
    self.searchPath = searchPath
    self.time = time
  }

  static func reads(_ mediaType: String) -> Bool { endings[mediaType] != nil }

  /// Converts a file to EPUB, in a directory that it creates and the caller removes.
  ///
  /// Blocks until the program has ended. Kills it after five minutes and if the task is cancelled.
  func convert(_ file: String, mediaType: String, in folder: String) throws(Failure) -> String {
    guard let ending = BookProgram.endings[mediaType] else {
      throw Failure(reason: "it does not read files of this kind")
    }
    guard mkdir(folder, 0o700) == 0, let folder = BookChild.absolute(folder),
      let file = BookChild.absolute(file), symlink(file, "\(folder)/book.\(ending)") == 0
    else {
      throw Failure(
        reason: "no folder could be created for it: \(String(cString: strerror(errno)))")
    }
    let input = "\(folder)/book.\(ending)"
    let output = "\(folder)/book.epub"
    let child = BookChild(searchPath: searchPath, folder: folder, time: time)
    let status = try child.run(path, [input, output])
    guard status == 0, access(output, R_OK) == 0 else {
      throw Failure(reason: "it exited with status \(status)")
    }
    return output
  }
}
