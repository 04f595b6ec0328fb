import ArchiverCore

/// The identity of a file of the archive when it was published.
package struct PublishedFile: Sendable, Equatable, Codable {
  /// The path relative to the archive, with slashes.
  var key: String
  var byteCount: Int
  /// The modification time in nanoseconds since 1970.
  var modified: Int
  /// The change time in nanoseconds since 1970, which programs cannot set. It reveals that a file was replaced by one
  /// of the same size and modification time; it also differs for each file of a restored backup. `nil` in a record of
  /// an earlier version.
  var changed: Int?
  /// Whether it has left the archive. The next run deletes it: by then no visitor has a page open
  /// that refers to it.
  var isLeaving: Bool?
  /// Whether it must be sent again although the file is the same.
  var isStale = false
  /// Whether it may never have arrived, so that nothing at the target refers to it.
  var isUnconfirmed = false

  private enum CodingKeys: CodingKey {
    case key, byteCount, modified, changed, isLeaving
  }

  /// Whether a file certainly equals the recorded one, without reading it.
  func isSame(as other: PublishedFile) -> Bool {
    changed == other.changed && looksSame(as: other)
  }

  /// Whether size and modification time equal the recorded ones, which is all that earlier versions compared.
  func looksSame(as other: PublishedFile) -> Bool {
    byteCount == other.byteCount && modified == other.modified && other.isLeaving != true
      && !other.isStale
  }
}

/// The files to send and to delete, and their order.
///
/// 1. New files are sent first: nothing that a visitor can reach refers to them yet, so new pages
/// may refer to each other.
/// 2. Replacements follow: everything to which they refer is present by then. The list by which
/// scripts filter comes after the data of the items in it.
/// 3. The start page is sent last.
/// 4. A file that was removed from the archive is deleted one run later; one that may never have
/// arrived is deleted at once. Files of the library may stay longer, until there are enough for a
/// request.
struct PublishPlan {
  /// The phases of a run; each is complete before the next begins.
  enum Phase: CaseIterable {
    /// New images, audio, books and other files of bundles.
    case newMedia
    /// New styles, scripts, and shards of the search index.
    case newLibraryFiles
    /// New pages of items.
    case newPages
    /// New pages of the library.
    case newLists
    /// Replaced files of bundles.
    case media
    /// Replaced pages of items.
    case pages
    /// Replaced scripts and data of the library.
    case libraryFiles
    /// The replaced list of all items. It counts the items in the other data, so it follows them.
    case facets
    /// Replaced pages of the library.
    case lists
    /// The start page.
    case start

    /// - Parameters:
    ///   - key: The path of a file, relative to the archive.
    ///   - isNew: Whether there is nothing under its key yet.
    init(_ key: String, isNew: Bool) {
      let isPage = key.hasSuffix(".html")
      self =
        if key == "index.html" {
          .start
        } else if key == PublishPlan.facets, !isNew {
          .facets
        } else if PublishPlan.isOfLibrary(key) {
          isPage ? isNew ? .newLists : .lists : isNew ? .newLibraryFiles : .libraryFiles
        } else {
          isPage ? isNew ? .newPages : .pages : isNew ? .newMedia : .media
        }
    }
  }

  private(set) var puts: [Phase: [PublishedFile]] = [:]
  private(set) var unchanged = 0
  /// Files that were removed from the archive since the previous run.
  private(set) var leaving: [PublishedFile] = []
  /// Files that were already missing in the previous run. They are deleted now.
  private(set) var deletes: [PublishedFile] = []
  /// The number of files published before, without the library's.
  let publishedCount: Int

  /// The number of files besides the library's that were removed from the archive since the
  /// previous run. Files that were already missing in that run were counted then, and the library
  /// renames files whenever it changes. Files that are excluded from publishing do not count.
  let goneCount: Int

  var putCount: Int { puts.values.reduce(0) { $0 + $1.count } }
  var byteCount: Int { puts.values.joined().reduce(0) { $0 + $1.byteCount } }
  var isEmpty: Bool { puts.isEmpty && leaving.isEmpty && deletes.isEmpty }

  /// Whether only the status of the sources changed, which every run rewrites. Nothing refers to
  /// its content, so it is replaced by one request without a lock.
  var isStatusOnly: Bool {
    putCount == 1 && leaving.isEmpty && deletes.isEmpty
      && puts[.libraryFiles]?.first?.key == PublishPlan.status
  }

  static let status = "library/status.js"
  private static let facets = "library/data/facets.js"
  /// The number of due deletions below which files of the library may wait for a later run.
  static let sweepSize = 250

  private static func isOfLibrary(_ key: String) -> Bool { key.hasPrefix("library/") }

  /// Compares the archive's files with those published.
  ///
  /// - Parameters:
  ///   - files: The files of the archive.
  ///   - published: What was published, by key.
  ///   - leavesOut: Names of files and folders of bundles that are not published.
  ///   - sweeps: Whether to delete all files that are due, however few.
  ///   - isSame: Whether a file has the recorded content although its times differ.
  init(
    _ files: [PublishedFile], published: [String: PublishedFile],
    leavingOut leavesOut: Set<String> = [],
    sweeps: Bool = true,
    isSame: (_ file: PublishedFile, _ known: PublishedFile) throws -> Bool = { _, _ in false }
  ) rethrows {
    publishedCount = published.keys.count { !PublishPlan.isOfLibrary($0) }
    var left = published
    for file in files.sorted(by: { $0.key < $1.key }) {
      let known = left.removeValue(forKey: file.key)
      let isUnchanged = try known.map { try file.isSame(as: $0) || isSame(file, $0) } ?? false
      if isUnchanged {
        unchanged += 1
      } else {
        let isNew = known?.isUnconfirmed ?? true
        puts[Phase(file.key, isNew: isNew), default: []].append(file)
      }
    }
    for file in left.values.sorted(by: { $0.key < $1.key }) {
      if file.isLeaving == true || file.isUnconfirmed {
        deletes.append(file)
      } else {
        leaving.append(file)
      }
    }
    if !sweeps, deletes.count < PublishPlan.sweepSize,
      deletes.allSatisfy({ PublishPlan.isOfLibrary($0.key) })
    {
      deletes = []
    }
    goneCount = leaving.count { file in
      !PublishPlan.isOfLibrary(file.key)
        && !file.key.split(separator: "/").contains { leavesOut.contains(String($0)) }
    }
  }

  /// Lists the files of an archive to publish: no hidden files and no symbolic links.
  ///
  /// - Parameters:
  ///   - root: The archive's path.
  ///   - leavesOut: Names of files and folders of bundles that are not published.
  static func files(
    _ root: String, leavingOut leavesOut: Set<String>
  ) throws(ExportError) -> [PublishedFile] {
    var found: [PublishedFile] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let names: [String]
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")
      } catch {
        throw ExportError(description: "\(root)/\(folder) cannot be read: \(error)")
      }
      // Exclude names within bundles only: the library's files refer to each other.
      let isBundle = !folder.isEmpty && folder != "library" && !folder.hasPrefix("library/")
      for name in names where !name.hasPrefix(".") {
        if isBundle, leavesOut.contains(name) { continue }
        let key = folder.isEmpty ? name : "\(folder)/\(name)"
        var status = stat()
        guard lstat("\(root)/\(key)", &status) == 0 else { continue }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: folders.append(key)
        case S_IFREG:
          found.append(
            PublishedFile(
              key: key, byteCount: Int(status.st_size), modified: nanoseconds(status.st_mtim),
              changed: nanoseconds(status.st_ctim)))
        default: break
        }
      }
    }
    return found
  }

  /// Returns a time for comparisons. Times after the year 2262, which damaged files may have, wrap around.
  private static func nanoseconds(_ time: timespec) -> Int {
    Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }
}
