extension FakeReadeck {
  /// Which Readeck it is, and what is between it and the client.
  package struct Behaviour: Sendable {
    /// From 0.16 to 0.22; decides what exists and what is broken.
    package var version: (major: Int, minor: Int, patch: Int) = (0, 22, 3)
    /// The folder the server lives in, such as `/readeck`; empty for none.
    package var prefix = ""
    package var token = "fake-readeck-token"
    /// Whether the token lacks the role to read: 403.
    package var forbidsReading = false
    /// The address the server believes to have, in place of the request's `Host`.
    package var claimedAddress: String?
    /// Bytes of response headers that a proxy takes; more is 502, as with nginx and 4096.
    package var proxyHeaderLimit: Int?
    /// Bookmarks after which an answer of `POST /sync` breaks off, error behind the boundary.
    package var syncBreaksAfter: Int?
    /// Whether `POST /sync` leaves out these bookmarks without a word.
    package var syncLeavesOut: Set<String> = []
    /// Added to every ETag, as compressing servers do.
    package var etagSuffix = ""
    /// Whether requests under `/api` without a good token are sent to the login page: 303.
    package var redirectsToLogin = false
    /// Whether every address answers with a web page, as something else than Readeck would.
    package var isSomethingElse = false
    /// Whether SVG files are sent as raw deflate to clients that accept `deflate`.
    package var deflatesSVG = false
    /// A status to answer everything with, and `Retry-After` in seconds.
    package var outage: (status: Int, retryAfter: Int?)?
    /// `since` on 0.21 fails on SQLite and works on PostgreSQL.
    package var runsOnSQLite = true

    package init() {}

    func isAtLeast(_ major: Int, _ minor: Int) -> Bool {
      (version.major, version.minor) >= (major, minor)
    }

    var versionText: String { "\(version.major).\(version.minor).\(version.patch)" }
  }
}
