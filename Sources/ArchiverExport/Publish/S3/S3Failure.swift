import ArchiverCore
import ArchiverMarkup

/// An unexpected response, with the error that its body names.
struct S3Failure: Error, Sendable, CustomStringConvertible {
  let status: Int
  /// The error's name, such as `NoSuchKey`; empty if the body has none.
  let code: String
  private let message: String
  private let region: String?
  private let location: S3Location
  /// The difference of the server's clock from the local one, in seconds.
  private let skew: Double

  /// - Parameters:
  ///   - response: The response.
  ///   - location: The bucket of the request.
  ///   - now: The time by the local clock.
  init(_ response: HTTPResponse, _ location: S3Location, now: Date) {
    status = response.status
    let root = response.body.isEmpty ? nil : try? XMLDocument(response.body, recovering: true).root
    let error = root.flatMap { $0.name == "Error" ? $0 : nil }
    code = error?.child("Code")?.words ?? S3Failure.usualCode(response.status)
    message = error?.child("Message")?.words ?? ""
    region = response.headers["x-amz-bucket-region"] ?? error?.child("Region")?.words
    self.location = location
    skew = response.headers.date.map { now.timeIntervalSince($0) } ?? 0
  }

  /// Parses an error that some servers send with the status 200; `nil` if there is none.
  init?(inSuccess response: HTTPResponse, _ location: S3Location, now: Date) {
    self.init(response, location, now: now)
    guard !code.isEmpty else { return nil }
  }

  /// Returns the usual error for a response without a body, such as one to HEAD.
  private static func usualCode(_ status: Int) -> String {
    switch status {
    case 404: "NoSuchKey"
    case 412: "PreconditionFailed"
    case 501: "NotImplemented"
    case 507: "InsufficientStorage"
    default: ""
    }
  }

  /// Whether the request conflicted with a concurrent one.
  var isConflict: Bool { code != "BucketAlreadyExists" && code != "InvalidBucketState" }

  var description: String { publishError.description }

  /// The failure with its meaning and what to do.
  var publishError: PublishError {
    if isOfClock {
      let minutes = Int(abs(skew) / 60)
      let by = minutes > 0 ? " by \(minutes) minutes" : ""
      return error(
        .clock, "this machine's clock and the server's differ\(by); set this machine's clock")
    }
    if let region = otherRegion {
      return error(
        .region,
        "the bucket is in the region \(region), not \(location.region); say --region \(region)")
    }
    switch (status, code) {
    case (_, "NoSuchBucket"):
      return error(
        .missing,
        "there is no bucket \(location.bucket) at \(location.endpoint.host); make it first")
    case (301, _), (307, _), (_, "AuthorizationHeaderMalformed"):
      return error(
        .region, "the bucket is not in the region \(location.region); say --region: \(detail)")
    case (_, "InvalidAccessKeyId"), (_, "SignatureDoesNotMatch"), (_, "InvalidToken"),
      (_, "ExpiredToken"), (401, _):
      return error(.unauthorized, "the access key is refused: \(detail)")
    case (507, _), (_, "QuotaExceeded"), (_, "XMinioStorageFull"), (_, "InsufficientStorage"):
      return error(
        .full, "the storage is full: \(detail); make room there, and the next run goes on")
    case (403, _): return error(.unauthorized, "the access key may not do this: \(detail)")
    case (429, _), (500..., _):
      return error(.unavailable, "the server fails: \(detail); the next run goes on")
    case (_, "BadDigest"), (_, "XAmzContentSHA256Mismatch"), (_, "IncompleteBody"):
      return error(.file, "a file changed while it was published; publish again: \(detail)")
    default: return error(.refused, "the server refused a request: \(detail)")
    }
  }

  private var isOfClock: Bool {
    code == "RequestTimeTooSkewed" || [400, 401, 403].contains(status) && abs(skew) > 900
  }

  /// The server's description of the error.
  private var detail: String {
    let told = DisplayLine.of(message.isEmpty ? code : message)
    return told.isEmpty ? "status \(status)" : "\(told) (status \(status))"
  }

  private func error(_ code: PublishError.Code, _ words: String) -> PublishError {
    PublishError(code, "\(location.name): \(words)")
  }

  /// The region of the bucket if the request was signed for another one.
  private var otherRegion: String? {
    let isRefusal =
      [301, 307].contains(status)
      || ["AuthorizationHeaderMalformed", "PermanentRedirect"].contains(code)
    guard isRefusal, let region, !region.isEmpty, region != location.region,
      region.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    return region
  }
}

/// Prepares texts of servers for messages.
enum DisplayLine {
  /// Returns the start of a text without control characters.
  static func of(_ text: String) -> String {
    let line = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }
    return String(String.UnicodeScalarView(line.prefix(300)))
  }
}
