import ArchiverCore
import ArchiverStorage

/// A login stored by `archiver login`: the server and its token.
///
/// `$XDG_CONFIG_HOME/archiver/logins/NAME.json`: `{ "url": …, "token": … }`, mode 0600.
struct StoredLogin: Sendable, Hashable, Decodable {
  let url: WebURL
  let token: Secret

  static func path(of source: String, in environment: ProcessEnvironment) -> String {
    "\(environment.configurationFolder)/logins/\(source).json"
  }

  /// Reads the login of a source; `nil` if there is none.
  static func load(
    _ source: String, in environment: ProcessEnvironment
  ) throws(UsageError) -> StoredLogin? {
    let path = path(of: source, in: environment)
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      let data = try Data(contentsOf: URL(filePath: path))
      return try JSONDecoder().decode(StoredLogin.self, from: data)
    } catch {
      throw UsageError("the stored login \(path) is damaged; run 'archiver login \(source)' again")
    }
  }

  /// Writes the login atomically.
  func save(as source: String, in environment: ProcessEnvironment) throws(UsageError) {
    let path = StoredLogin.path(of: source, in: environment)
    let folder = environment.configurationFolder + "/logins"
    do {
      try FolderPath.make(folder, mode: 0o700)
    } catch {
      throw UsageError("the folder \(folder) cannot be created")
    }
    let line: JSONLine = [
      "url": .string(url.absoluteString), "token": .string(token.reveal()),
    ]
    do {
      try AtomicFile.write(line.text, to: path, mode: 0o600, isNamedByUser: true)
    } catch {
      throw UsageError("the login cannot be stored: \(error)")
    }
  }
}
