import ArchiverCore
import ArchiverStorage

extension ConfigurationFile {
  /// Sets `pingURL` in the file at `path` and keeps everything else, comments included; without a
  /// file, creates one. Returns false and changes nothing if the file cannot be edited safely:
  /// other users may read it, it is someone else's, or it is not a valid JSON5 object.
  static func setPingURL(_ url: String, in path: String) throws(UsageError) -> Bool {
    guard !url.contains(where: { "\"\\".contains($0) || $0.isNewline }) else { return false }
    let text: String
    if let data = FileManager.default.contents(atPath: path) {
      guard isPrivate(path), let old = String(validating: data, as: UTF8.self),
        let changed = Self.text(old, with: url, before: nights(path))
      else { return false }
      text = changed
    } else {
      guard !FileManager.default.fileExists(atPath: path) else { return false }
      text = "{\n  pingURL: \"\(url)\",\n}\n"
    }
    do {
      try FolderPath.make(path.parentFolder, mode: 0o700)
      try AtomicFile.write(text, to: path, mode: 0o600, isNamedByUser: true)
    } catch {
      throw UsageError("pingURL cannot be written to the configuration file: \(error)")
    }
    return true
  }

  private static func isPrivate(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      && status.st_mode & 0o077 == 0 && status.st_uid == geteuid()
  }

  /// Returns the file's text with the URL; `nil` if the result would not be the same file with
  /// another `pingURL`.
  private static func text(_ old: String, with url: String, before: NightSettings) -> String? {
    guard var members = object(in: Data(old.utf8)) else { return nil }
    var changed: String?
    if case .text(let known)? = before.values["pingURL"] {
      let places = old.ranges(of: known)
      if places.count == 1 { changed = old.replacing(known, with: url) }
    } else if members["pingURL"] == nil, let brace = firstBrace(old) {
      changed = old
      changed?.insert(contentsOf: "\n  pingURL: \"\(url)\",", at: old.index(after: brace))
    }
    members["pingURL"] = .string(url)
    guard let changed, object(in: Data(changed.utf8)) == members else { return nil }
    return changed
  }

  /// Returns the members of a file's object; `nil` if it is not JSON5, which `load` reports.
  static func object(in data: Data) -> [String: JSONValue]? {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return (try? decoder.decode(JSONValue.self, from: data))?.object
  }

  /// Returns the position of the brace that opens the object, after leading comments.
  private static func firstBrace(_ text: String) -> String.Index? {
    var rest = text[...]
    while let character = rest.first {
      if rest.hasPrefix("//") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        guard let end = rest.firstRange(of: "*/") else { return nil }
        rest = rest[end.upperBound...]
      } else if character == "{" {
        return rest.startIndex
      } else {
        rest = rest.dropFirst()
      }
    }
    return nil
  }
}
