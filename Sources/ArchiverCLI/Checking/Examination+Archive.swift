import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

extension Examination {
  /// Checks whether a run can write to the archive, and with what guarantees.
  func archive(_ settings: RunSettings) -> [Finding] {
    let path = settings.archive
    let shown = environment.abbreviated(path)
    if invocation.services.knownArchives?(environment).isLost(path) == true {
      return [
        finding(.ofArchive, .bad, wording.text(.archiveLost, shown), wording.text(.mountArchive))
      ]
    }
    // The nearest existing directory decides whether and where it can be created.
    var folder = path
    while !FileManager.default.fileExists(atPath: folder), folder.count > 1 {
      folder = folder.parentFolder
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      return [
        finding(
          .ofArchive, .bad, wording.text(.notWritable, shown),
          wording.text(.allowWriting, environment.abbreviated(folder)))
      ]
    }
    return [room(path, folder, shown), foreignFolder(path), openArchive(path)].compactMap(\.self)
      + trial(in: folder)
  }

  /// Returns a finding about the free space; `nil` if the file system does not report it.
  private func room(_ path: String, _ folder: String, _ shown: String) -> Finding? {
    guard let free = invocation.services.freeBytes(folder) else { return nil }
    let state = Examination.room(free)
    let place = folder == path ? shown : wording.text(.madeByFirstRun, shown)
    return finding(
      .ofArchive, state, wording.text(.free, place, wording.bytes(free)),
      state == .good ? nil : wording.text(.makeRoom))
  }

  /// Returns a finding about a directory of the archive that its owner cannot write to, as after a run by root.
  private func foreignFolder(_ path: String) -> Finding? {
    let own = path + "/.archiver"
    let folders = [own] + Examination.folders(in: path) + Examination.folders(in: own + "/objects")
    guard let owner = Examination.owner(of: path),
      let foreign = folders.first(where: { folder in
        // Permissions do not restrict root, so compare the owners.
        guard let other = Examination.owner(of: folder) else { return false }
        return geteuid() == 0 ? other != owner : access(folder, W_OK | X_OK) != 0
      })
    else { return nil }
    return finding(
      .ofArchive, .bad, wording.text(.foreignFolder, environment.abbreviated(foreign)),
      wording.text(.takeOver, "sudo chown -R \(owner) \(path.shellQuoted)"))
  }

  /// Returns the id of the user that owns a file; `nil` if the file does not exist.
  private static func owner(of path: String) -> uid_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_uid : nil
  }

  /// Returns the folders directly in a folder, sorted; symbolic links are left out.
  private static func folders(in folder: String) -> [String] {
    // An unreadable directory has no entries that can be checked.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { folder + "/" + $0 }.filter { path in
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
  }

  /// Tests the features of the file system that an archive needs.
  private func trial(in folder: String) -> [Finding] {
    FileSystemTrial(in: folder).failures().map { failure in
      finding(
        .ofArchive, failure.step.isEssential ? .bad : .doubtful,
        wording.text(failure.step.phrase, environment.abbreviated(folder), failure.reason),
        wording.text(failure.step.isEssential ? .useOtherDisk : .otherDiskHelps))
    }
  }

  /// Rates the free space: a run ends below its reserve, and ten times as much may not last long.
  static func room(_ free: Int) -> Finding.State {
    let reserve = ArchiveOptions().reserve
    return free < reserve ? .bad : free < 10 * reserve ? .doubtful : .good
  }

  /// Warns if the archive's directory is world-writable: other users could replace its pages.
  private func openArchive(_ path: String) -> Finding? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o002 != 0 else { return nil }
    return finding(
      .ofArchive, .doubtful, wording.text(.openArchive, environment.abbreviated(path)),
      wording.text(.closeArchive, "chmod o-w \(path.shellQuoted)"))
  }
}

extension FileSystemTrial.Step {
  /// The message for a failed step, with the directory and the system's reason.
  fileprivate var phrase: Phrase {
    switch self {
    case .write: .cannotWriteThere
    case .lock: .cannotLock
    case .rename: .cannotRename
    case .map: .cannotMap
    case .exchange: .cannotExchange
    case .link: .cannotLink
    }
  }
}
