import ArchiverCore

/// The SHA256SUMS of a bundle, in the format of `sha256sum`: digest, two spaces, path.
struct ChecksumList: Sendable, Equatable {
  static let fileName = "SHA256SUMS"

  /// Digests by path relative to the bundle.
  private(set) var digests: [String: String] = [:]

  subscript(path: String) -> String? {
    get { digests[path] }
    set { digests[path] = newValue }
  }

  /// The lines, sorted by the bytes of the paths.
  var bytes: [UInt8] {
    let paths = digests.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    var bytes: [UInt8] = []
    for path in paths {
      bytes += "\(digests[path] ?? "")  \(path)\n".utf8
    }
    return bytes
  }

  init() {}

  /// Parses a list. Fails with `.damaged` at an invalid line; the error names `path`.
  init(_ bytes: [UInt8], path: String) throws(StorageError) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let digest = line.prefix(64)
      let rest = line.dropFirst(64)
      guard Digest.isSHA256(digest), rest.hasPrefix("  ") || rest.hasPrefix(" *"),
        rest.count > 2
      else { throw StorageError(.damaged, "\(path) contains a line that is not a checksum") }
      digests[String(rest.dropFirst(2))] = String(digest)
    }
  }

  /// Reads the list of a bundle; `nil` if it is missing or unreadable.
  init?(ifReadableIn bundle: Folder) throws(StorageError) {
    do throws(StorageError) {
      guard try bundle.status(ChecksumList.fileName)?.kind == .file else { return nil }
      let bytes = try OpenFile.reading(ChecksumList.fileName, in: bundle).readAll()
      try self.init(bytes, path: bundle.at(ChecksumList.fileName))
    } catch {
      guard error.isOfOneBundle else { throw error }
      return nil
    }
  }

  /// Whether a path needs none of the escapes that `sha256sum` uses for unusual names.
  static func canHold(_ path: String) -> Bool {
    path.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\\" }
  }
}
