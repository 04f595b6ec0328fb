import ArchiverCore

/// The directories and files of an archive.
enum ArchiveLayout {
  static let control = ".archiver"
  static let objects = "objects"
  static let staging = "staging"
  static let catalog = "catalog.sqlite"
  static let format = "format"
  static let lock = "lock"
  static let pins = "pins.json"
  static let accounts = "accounts"
  /// Incremented when an older archiver would misread the layout.
  static let version = 1

  /// Opens the hidden directory of an archive and creates what is missing in it.
  static func prepareControl(
    of root: Folder, _ fileSystem: FileSystem
  ) throws(StorageError) -> Folder {
    if try root.status(control) == nil {
      try fileSystem.makeFolder(control, in: root, mode: 0o700)
    }
    let folder = try root.folder(control)
    for name in [objects, staging] where try folder.status(name) == nil {
      try fileSystem.makeFolder(name, in: folder, mode: 0o700)
    }
    return folder
  }

  /// Checks the format, and writes it if it is missing.
  static func checkFormat(
    _ control: Folder, _ fileSystem: FileSystem, isReadOnly: Bool
  ) throws(StorageError) {
    if let bytes = try formatBytes(control) {
      let text = String(decoding: bytes, as: UTF8.self)
      guard let found = Int(text.filter { !$0.isWhitespace }) else {
        throw StorageError(.damaged, "\(control.at(format)) does not hold a number")
      }
      guard found <= version else {
        throw StorageError(
          .tooNew,
          "\(control.path) has format \(found), this archiver knows up to \(version); update it")
      }
    } else if !isReadOnly {
      let stagingFolder = try control.folder(staging)
      if try stagingFolder.status(format) != nil {
        try fileSystem.removeFile(format, in: stagingFolder)
      }
      try fileSystem.writeFile(format, in: stagingFolder, Array("\(version)\n".utf8))
      try fileSystem.rename(format, in: stagingFolder, to: format, in: control)
    }
  }

  /// Returns the content of the format file; `nil` if it is missing or empty. A power cut soon
  /// after the archive was created may leave an empty one.
  private static func formatBytes(_ control: Folder) throws(StorageError) -> [UInt8]? {
    guard try control.status(format) != nil else { return nil }
    let bytes = try OpenFile.reading(format, in: control).readAll()
    return bytes.contains { $0 != 0 } ? bytes : nil
  }
}
