import ArchiverCore
import ArchiverMarkup

/// An object in a list of the server.
struct S3Object: Sendable {
  /// The key without the prefix of the archive.
  var key: String
  var byteCount: Int
  /// The ETag without quotes.
  var etag: String
  /// The modification time by the server's clock.
  var modified: Date?
}

/// An incomplete multipart upload that the server has.
struct S3Upload: Sendable {
  /// The key without the prefix of the archive.
  var key: String
  var id: String
  /// The start time by the server's clock; `nil` if unknown.
  var begun: Date?
}

/// A page of a list of objects (ListObjectsV2).
struct S3Listing {
  private(set) var objects: [S3Object] = []
  /// The token of the next page; `nil` after the last.
  private(set) var next: String?

  /// - Parameters:
  ///   - body: The body of the response.
  ///   - prefix: The prefix of the archive, which all keys have.
  init(_ body: [UInt8], prefix: String) throws {
    guard let root = try XMLDocument(body).root, root.name == "ListBucketResult" else {
      throw PublishError(.refused, "the server's list of objects is not one")
    }
    let isEncoded = root.child("EncodingType")?.words == "url"
    for element in root.children("Contents") {
      guard let text = element.child("Key")?.text else { continue }
      let key = isEncoded ? S3Listing.decoded(text) : text
      guard key.hasPrefix(prefix) else { continue }
      objects.append(
        S3Object(
          key: String(key.dropFirst(prefix.count)),
          byteCount: element.child("Size").flatMap { Int($0.words) } ?? -1,
          etag: S3Listing.unquoted(element.child("ETag")?.words ?? ""),
          modified: S3Listing.time(element.child("LastModified"))))
    }
    if root.child("IsTruncated")?.words == "true" {
      next = root.child("NextContinuationToken")?.text
    }
  }

  /// Parses the time in an element; `nil` if it is missing or in another format.
  static func time(_ element: XMLElement?) -> Date? {
    let text = element?.words.prefix(19)
    return text.flatMap { try? Date.ISO8601FormatStyle().parse($0 + "Z") }
  }

  /// Decodes a form-encoded key; returns the text itself if the result is not UTF-8.
  private static func decoded(_ text: String) -> String {
    let bytes = PercentEncoding.decodedBytes(text.replacing("+", with: " "))
    return String(validating: bytes, as: UTF8.self) ?? text
  }

  /// Returns an ETag without quotes.
  static func unquoted(_ etag: String) -> String { String(etag.filter { $0 != "\"" }) }
}

extension S3Client {
  /// Returns one page of the objects with a key prefix, and the time by the server's clock.
  ///
  /// - Parameters:
  ///   - start: The start of the keys, after the prefix of the archive.
  ///   - limit: The maximum number of objects.
  ///   - token: The token of the page; `nil` for the first.
  func list(
    _ start: String, limit: Int = 1_000, from token: String? = nil
  ) async throws -> (page: S3Listing, now: Date?) {
    // Keys may contain characters that XML cannot represent.
    var query = [
      (name: "list-type", value: "2"), (name: "prefix", value: location.prefix + start),
      (name: "max-keys", value: String(limit)), (name: "encoding-type", value: "url"),
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

  /// Returns the incomplete uploads below the prefix (ListMultipartUploads); none if the server does not list them.
  func uploads() async throws -> [S3Upload] {
    var found: [S3Upload] = []
    var marker: (key: String, id: String)?
    repeat {
      try Task.checkCancellation()
      var query = [(name: "uploads", value: ""), (name: "prefix", value: location.prefix)]
      if let marker {
        query.append((name: "key-marker", value: marker.key))
        query.append((name: "upload-id-marker", value: marker.id))
      }
      let response = try await send(
        S3Request(.get, query: query), accepting: [400, 403, 404, 405, 501])
      guard response.isSuccess, let root = try? XMLDocument(response.body).root,
        root.name == "ListMultipartUploadsResult"
      else { return found }
      for element in root.children("Upload") {
        guard let key = element.child("Key")?.text, key.hasPrefix(location.prefix),
          let id = element.child("UploadId")?.words, !id.isEmpty
        else { continue }
        found.append(
          S3Upload(
            key: String(key.dropFirst(location.prefix.count)), id: id,
            begun: S3Listing.time(element.child("Initiated"))))
      }
      let isCut = root.child("IsTruncated")?.words == "true"
      let next = (
        key: root.child("NextKeyMarker")?.text ?? "",
        id: root.child("NextUploadIdMarker")?.words ?? ""
      )
      let isFurther = isCut && (marker.map { $0 != next } ?? true)
      marker = isFurther ? next : nil
    } while marker != nil
    return found
  }
}
