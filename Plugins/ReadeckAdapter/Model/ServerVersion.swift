import ArchiverCore

/// A version of Readeck and its capabilities.
struct ServerVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  let major: Int
  let minor: Int
  let patch: Int

  init(_ major: Int, _ minor: Int, _ patch: Int = 0) {
    self.major = major
    self.minor = minor
    self.patch = patch
  }

  /// Parses the start of `0.22.3` or `0.23.0-rc.1`; `nil` if it does not begin with two numbers.
  init?(_ text: String) {
    let numbers = text.drop { $0 == "v" }.split(separator: ".", maxSplits: 2).map { part in
      Int(part.prefix { "0"..."9" ~= $0 })
    }
    guard numbers.count >= 2, let major = numbers[0], let minor = numbers[1] else { return nil }
    self.init(major, minor, numbers.count > 2 ? numbers[2] ?? 0 : 0)
  }

  /// The assumed version of a server without `/api/info`: the oldest supported one.
  static let beforeInfo = ServerVersion(0, 16)

  /// Whether the server has `GET` and `POST /api/bookmarks/sync`.
  var hasSync: Bool { self >= ServerVersion(0, 20) }

  /// Whether `GET /api/bookmarks/sync` accepts `since=`, which 0.21 with SQLite answers with 500.
  var hasSyncSince: Bool { self >= ServerVersion(0, 22) }

  /// Whether lists accept `updated_since`; later versions ignore it silently.
  var hasUpdatedSince: Bool { !hasSync }

  /// Whether the server supports OAuth's device flow.
  var hasDeviceLogin: Bool { self >= ServerVersion(0, 21) }

  static func < (one: ServerVersion, other: ServerVersion) -> Bool {
    (one.major, one.minor, one.patch) < (other.major, other.minor, other.patch)
  }

  var description: String { "\(major).\(minor).\(patch)" }
}
