package import ArchiverCore
import ArchiverStorage

/// The credentials of an S3-compatible storage.
package struct S3Credentials: Sendable, Hashable {
  package var accessKey: String
  package var secretKey: Secret
  /// The token of temporary credentials; `nil` for permanent ones.
  package var sessionToken: Secret?

  package init(accessKey: String, secretKey: Secret, sessionToken: Secret? = nil) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
  }
}

/// Signs requests with AWS Signature Version 4, in the `Authorization` field.
///
/// All given header fields are signed, as are `Host` and the fields of the signature.
struct S3Signature {
  let credentials: S3Credentials
  let region: String
  var service = "s3"

  /// Returns the fields of a request with those of the signature added, without `Host`.
  ///
  /// - Parameters:
  ///   - method: The method, such as `PUT`.
  ///   - path: The path as requested, percent-encoded.
  ///   - query: The fields of the query, decoded.
  ///   - host: The value of the `Host` field.
  ///   - headers: The other fields.
  ///   - payload: The SHA-256 of the body in hex.
  ///   - date: The time of the request.
  func sign(
    _ method: String, path: String, query: [(name: String, value: String)], host: String,
    headers: HTTPHeaders, payload: String, date: Date
  ) -> HTTPHeaders {
    let time = S3Signature.time(date)
    let day = String(time.prefix(8))
    var signed = headers
    signed["x-amz-date"] = time
    signed["x-amz-content-sha256"] = payload
    if let token = credentials.sessionToken { signed["x-amz-security-token"] = token.reveal() }
    var fields = signed.fields.map { (name: $0.name.lowercased(), value: $0.value) }
    fields.append((name: "host", value: host))
    fields.sort { $0.name < $1.name }
    let names = fields.map(\.name).joined(separator: ";")
    let canonical = [
      method, path, S3Signature.query(query),
      fields.map { "\($0.name):\(S3Signature.folded($0.value))\n" }.joined(), names, payload,
    ].joined(separator: "\n")
    let scope = "\(day)/\(region)/\(service)/aws4_request"
    let text = ["AWS4-HMAC-SHA256", time, scope, Digest.sha256Hex(canonical)].joined(
      separator: "\n")
    let signature = hex(Digest.hmacSHA256(Array(text.utf8), key: key(day)))
    signed["Authorization"] =
      "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope),SignedHeaders=\(names),"
      + "Signature=\(signature)"
    return signed
  }

  /// Returns the query as requested and signed: encoded strictly and sorted.
  static func query(_ fields: [(name: String, value: String)]) -> String {
    var encoded: [(name: String, value: String)] = []
    for field in fields {
      encoded.append(
        (name: WebURL.percentEncoded(field.name), value: WebURL.percentEncoded(field.value)))
    }
    encoded.sort { one, other in
      one.name == other.name ? one.value < other.value : one.name < other.name
    }
    return encoded.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }

  /// Returns a time as `20130524T000000Z`.
  static func time(_ date: Date) -> String {
    let text: String = date.formatted(.iso8601)
    return text.replacing("-", with: "").replacing(":", with: "")
  }

  private func key(_ day: String) -> [UInt8] {
    var key = Array("AWS4\(credentials.secretKey.reveal())".utf8)
    for part in [day, region, service, "aws4_request"] {
      key = Digest.hmacSHA256(Array(part.utf8), key: key)
    }
    return key
  }

  /// Trims a value and reduces runs of spaces to one.
  private static func folded(_ value: String) -> String {
    value.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }
}

/// Returns bytes in lower-case hex.
func hex(_ bytes: [UInt8]) -> String {
  bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
