extension FakeReadeck {
  /// The version of Readeck, and the proxy between it and the client.
  package struct Behaviour: Sendable {
    /// From 0.16 to 0.22; determines the available endpoints and known bugs.
    package var version: (major: Int, minor: Int, patch: Int) = (0, 22, 3)
    /// The path of the server, such as `/readeck`; empty for none.
    package var prefix = ""
    package var token = "fake-readeck-token"
    /// Whether the server can resolve host names, as it does with the `client_uri` of a login.
    package var resolvesNames = true
    /// Whether the token lacks the role to read: 403.
    package var forbidsReading = false
    /// Whether the token has the role to write.
    package var allowsWriting = false
    /// Whether the token has no role, so that it may do everything.
    package var allowsEverything = false
    /// Unpacks an imported file into its entries by their names; `nil` if it is not a ZIP file.
    package var unzip: @Sendable (_ file: [UInt8]) -> [String: [UInt8]]? = { _ in nil }
    /// The maximum size in bytes of a request at a proxy, which answers 413 beyond it.
    package var proxyBodyLimit: Int?
    /// The number of requests for a new bookmark until it is loaded.
    package var loadingRequests = 2
    /// Whether highlights are made one character later than requested.
    package var shiftsHighlights = false
    /// The URL that the server uses for itself instead of the request's `Host`.
    package var claimedAddress: String?
    /// The maximum size in bytes of response headers at a proxy, which answers 502 beyond it, like
    /// nginx with 4096.
    package var proxyHeaderLimit: Int?
    /// The number of bookmarks after which a response of `POST /sync` is truncated, with the error
    /// after the boundary.
    package var syncBreaksAfter: Int?
    /// Bookmarks that `POST /sync` omits without an error.
    package var syncLeavesOut: Set<String> = []
    /// A suffix of every ETag, as compressing servers add.
    package var etagSuffix = ""
    /// Whether requests under `/api` without a valid token are redirected to the login page: 303.
    package var redirectsToLogin = false
    /// Whether every URL returns a web page, as on a server other than Readeck.
    package var isSomethingElse = false
    /// Whether SVG files are sent as raw deflate to clients that accept `deflate`.
    package var deflatesSVG = false
    /// A status for all responses, and `Retry-After` in seconds.
    package var outage: (status: Int, retryAfter: Int?)?
    /// `since` on 0.21 fails with SQLite and works with PostgreSQL.
    package var runsOnSQLite = true

    /// Rewrites the JSON text of a bookmark, a highlight or an entry of the sync API, given the id of
    /// the bookmark.
    package var rewriteRecord: @Sendable (_ bookmark: String, _ text: String) -> String = { $1 }

    package init() {}

    /// Gives the records of these bookmarks extreme values, the same in each response.
    ///
    /// Most of their entries in the sync API are left alone, as each has three members only.
    package mutating func makeExtreme(_ bookmarks: Set<String>) {
      rewriteRecord = { id, text in
        guard bookmarks.contains(id), let members = try? ExtremeValues.members(of: text) else {
          return text
        }
        var values = ExtremeValues(seed: id)
        if members.count == 3, values.next(5) > 0 { return text }
        return values.altered(members)
      }
    }

    func isAtLeast(_ major: Int, _ minor: Int) -> Bool {
      (version.major, version.minor) >= (major, minor)
    }

    var versionText: String { "\(version.major).\(version.minor).\(version.patch)" }
  }
}
