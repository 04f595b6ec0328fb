import ArchiverCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file of the archive as it was when it was published.
struct PublishedFile: Equatable, Codable {
  /// Relative to the archive, with slashes.
  var key: String
  var byteCount: Int
  /// Nanoseconds since 1970.
  var modified: Int
  /// Whether it has left the archive. The next run deletes it: by then no visitor has a page open
  /// that refers to it.
  var isLeaving: Bool?

  func isSame(as other: PublishedFile) -> Bool {
    byteCount == other.byteCount && modified == other.modified && other.isLeaving != true
  }
}

/// Which files are copied and deleted, and in which order: a file only after those that it refers
/// to.
struct PublishPlan {
  /// The phases of a run; each is complete before the next begins.
  enum Phase: Int, CaseIterable, Comparable {
    /// Images, audio, books and other files of bundles.
    case media
    /// Styles, scripts, the search index and data files.
    case libraryFiles
    /// Pages of items.
    case pages
    /// Pages of the library.
    case lists
    /// The start page.
    case start

    static func < (one: Phase, other: Phase) -> Bool { one.rawValue < other.rawValue }

    init(_ key: String) {
      let isPage = key.hasSuffix(".html")
      self =
        if key == "index.html" {
          .start
        } else if key.hasPrefix("library/") {
          isPage ? .lists : .libraryFiles
        } else {
          isPage ? .pages : .media
        }
    }
  }

  private(set) var puts: [Phase: [PublishedFile]] = [:]
  private(set) var unchanged = 0
  /// Files that left the archive since the previous run.
  private(set) var leaving: [PublishedFile] = []
  /// Files that had left the archive by the previous run.
  private(set) var deletes: [PublishedFile] = []

  var putCount: Int { puts.values.reduce(0) { $0 + $1.count } }
  var byteCount: Int { puts.values.joined().reduce(0) { $0 + $1.byteCount } }

  /// Compares the archive's files with those published.
  init(_ files: [PublishedFile], published: [String: PublishedFile]) {
    var left = published
    for file in files.sorted(by: { $0.key < $1.key }) {
      let known = left.removeValue(forKey: file.key)
      if let known, file.isSame(as: known) {
        unchanged += 1
      } else {
        puts[Phase(file.key), default: []].append(file)
      }
    }
    for file in left.values.sorted(by: { $0.key < $1.key }) {
      if file.isLeaving == true { deletes.append(file) } else { leaving.append(file) }
    }
  }

  /// Lists the files of an archive to publish: no hidden files, no sources' records unless
  /// `withSources`, and no symbolic links.
  static func files(_ root: String, withSources: Bool) throws(ExportError) -> [PublishedFile] {
    var found: [PublishedFile] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let names: [String]
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
      } catch {
        throw ExportError(description: "\(root)/\(folder) cannot be read: \(error)")
      }
      for name in names where !name.hasPrefix(".") {
        if !withSources, name == "source.json" || name == "source.html.gz" { continue }
        let key = folder.isEmpty ? name : "\(folder)/\(name)"
        var status = stat()
        guard lstat("\(root)/\(key)", &status) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: folders.append(key)
        case S_IFREG:
          let time = status.st_mtim
          found.append(
            PublishedFile(
              key: key, byteCount: Int(status.st_size),
              modified: Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)))
        default: break
        }
      }
    }
    return found
  }
}
