package import ArchiverCore
import ArchiverStorage

/// The archives in the subfolders of a folder, and the start page that lists them.
///
/// Reads `index.html` and `library/status.js` of each archive, which published copies contain too.
/// Opens no catalog and takes no lock, so runs may continue. Does not follow symbolic links in the
/// folder.
package struct Portal: Sendable {
  /// The name of the start page in the folder.
  package static let path = "index.html"
  /// The maximum size of a status in bytes; one of 100 sources with 60 runs each has half of it.
  static let sizeLimit = 4_000_000

  /// A subfolder that is not on the page.
  package struct Omission: Sendable, Hashable {
    package enum Reason: Error, Hashable {
      /// It is not an archive.
      case foreign
      case link
      /// An archive whose file of this name is missing or damaged.
      case damaged(file: String)
      case unreadable
    }

    package let name: String
    package let reason: Reason
  }

  /// The archives, in the natural order of their names.
  package private(set) var archives: [PortalArchive] = []
  package private(set) var omissions: [Omission] = []

  /// Reads the archives in the subfolders of a folder, which may be behind a symbolic link. Ignores
  /// files, and entries whose names begin with a full stop.
  package init(reading folder: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    for name in NaturalOrder.sorted(names.filter { !$0.hasPrefix(".") }) {
      guard let kind = Portal.kind("\(folder)/\(name)") else {
        omissions.append(Omission(name: name, reason: .unreadable))
        continue
      }
      switch kind {
      case S_IFDIR:
        switch Portal.read(name, in: folder) {
        case .success(let archive): archives.append(archive)
        case .failure(let reason): omissions.append(Omission(name: name, reason: reason))
        }
      case S_IFLNK where Portal.leadsToFolder("\(folder)/\(name)"):
        omissions.append(Omission(name: name, reason: .link))
      default: break
      }
    }
  }

  /// Whether a folder is an archive or a published copy of one itself.
  package static func isArchive(_ folder: String) -> Bool {
    marks.contains { kind("\(folder)/\($0)") != nil }
  }

  /// Whether a folder has no start page yet, or one that was written by this type.
  package static func mayReplacePage(in folder: String) -> Bool {
    let place = "\(folder)/\(path)"
    guard let kind = kind(place) else { return true }
    guard kind == S_IFREG, let bytes = FileManager.default.contents(atPath: place) else {
      return false
    }
    return bytes.starts(with: PortalPage.start.utf8)
  }

  /// Returns the start page. A source whose last successful run was before `limit` needs attention.
  package func page(words: Words, limit: Date) -> [UInt8] {
    PortalPage(words: words, limit: limit).page(archives)
  }

  /// Paths that only archives and their published copies contain.
  private static let marks = [".archiver", "_archiver", StatusData.path]

  private static func read(_ name: String, in folder: String) -> Result<
    PortalArchive, Omission.Reason
  > {
    guard access("\(folder)/\(name)", R_OK | X_OK) == 0 else { return .failure(.unreadable) }
    guard isArchive("\(folder)/\(name)") else { return .failure(.foreign) }
    let status = ArchiveFile("\(name)/\(StatusData.path)", in: folder)
    guard let size = status.byteCount, size <= sizeLimit, let bytes = status.bytes,
      let sources = PortalArchive.sources(bytes)
    else { return .failure(.damaged(file: StatusData.path)) }
    guard ArchiveFile("\(name)/\(IndexPage.path)", in: folder).byteCount != nil else {
      return .failure(.damaged(file: IndexPage.path))
    }
    let problems = ArchiveFile("\(name)/\(ProblemsPage.path)", in: folder).byteCount
    return .success(
      PortalArchive(name: name, sources: sources, hasProblemsPage: problems != nil))
  }

  /// Returns the type of a file without following a symbolic link; `nil` if it cannot be determined.
  private static func kind(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  private static func leadsToFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
