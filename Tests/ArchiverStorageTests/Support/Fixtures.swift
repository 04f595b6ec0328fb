import ArchiverCore

/// The folder of fixtures shared between projects; `nil` where there is none.
let sharedFixtures: String? = {
  if let path = ProcessInfo.processInfo.environment["ARCHIVER_FIXTURES"] { return path }
  var folder = URL(filePath: #filePath)
  while folder.path.count > 1 {
    folder.deleteLastPathComponent()
    if FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
      let found = folder.path + "/../shared/fixtures"
      return FileManager.default.fileExists(atPath: found) ? found : nil
    }
  }
  return nil
}()
