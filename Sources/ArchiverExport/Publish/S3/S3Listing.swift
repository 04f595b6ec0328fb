import ArchiverCore
import ArchiverMarkup

/// An object as the server lists it.
struct S3Object: Sendable {
  /// Without the prefix of the archive.
  var key: String
  var byteCount: Int
  /// Without quotes.
  var etag: String
  /// By the server's clock.
  var modified: Date?
}

/// A page of a list of objects (ListObjectsV2).
struct S3Listing {
  private(set) var objects: [S3Object] = []
  /// Where the next page begins; `nil` after the last.
  private(set) var next: String?

  /// - Parameters:
  ///   - body: The body of the response.
  ///   - prefix: The prefix of the archive, which all keys have.
  init(_ body: [UInt8], prefix: String) throws {
    guard let root = try XMLDocument(body).root, root.name == "ListBucketResult" else {
      throw PublishError(.refused, "the server's list of objects is not one")
    }
    for element in root.children("Contents") {
      guard let key = element.child("Key")?.text, key.hasPrefix(prefix) else { continue }
      let time = element.child("LastModified")?.words.prefix(19)
      objects.append(
        S3Object(
          key: String(key.dropFirst(prefix.count)),
          byteCount: element.child("Size").flatMap { Int($0.words) } ?? -1,
          etag: S3Listing.unquoted(element.child("ETag")?.words ?? ""),
          // A time in another form counts as unknown.
          modified: time.flatMap { try? Date.ISO8601FormatStyle().parse($0 + "Z") }))
    }
    if root.child("IsTruncated")?.words == "true" {
      next = root.child("NextContinuationToken")?.text
    }
  }

  /// Returns an ETag without quotes.
  static func unquoted(_ etag: String) -> String { String(etag.filter { $0 != "\"" }) }
}

extension S3Client {
  /// Returns one page of the objects whose keys begin with a text, and the time by the server's clock.
  ///
  /// - Parameters:
  ///   - start: The start of the keys, after the prefix of the archive.
  ///   - limit: The maximum number of objects.
  ///   - token: Where the page begins; `nil` for the first.
  func list(
    _ start: String, limit: Int = 1_000, from token: String? = nil
  ) async throws -> (page: S3Listing, now: Date?) {
    var query = [
      (name: "list-type", value: "2"), (name: "prefix", value: location.prefix + start),
      (name: "max-keys", value: String(limit)),
    ]
    if let token { query.append((name: "continuation-token", value: token)) }
    let response = try await send(S3Request(.get, query: query))
    do {
      return (
        try S3Listing(response.body, prefix: location.prefix), response.headers.date
      )
    } catch let error as MarkupError {
      throw PublishError(.refused, "\(location.name): the list of objects is damaged: \(error)")
    }
  }
}
