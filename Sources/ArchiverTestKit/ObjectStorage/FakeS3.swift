package import ArchiverCore
import Synchronization

/// An S3-compatible storage with one bucket, in memory. It does not check signatures.
package final class FakeS3: Sendable {
  /// What a server makes of conditional requests.
  package enum Conditions: Sendable, CaseIterable {
    case honoured
    /// Compares the text of `If-Match` with an ETag without quotes.
    case unquoted
    /// Answers as if there were none.
    case ignored
    /// Answers 501.
    case refused
  }

  package struct Object: Sendable, Hashable {
    package var bytes: [UInt8]
    package var headers: HTTPHeaders
    package var etag: String

    package init(bytes: [UInt8], headers: HTTPHeaders = [:], etag: String) {
      self.bytes = bytes
      self.headers = headers
      self.etag = etag
    }
  }

  package struct Behaviour: Sendable {
    package var conditions = Conditions.honoured
    package var pageSize = 1_000
    /// Whether several objects can be deleted with one request.
    package var deletesMany = true
    /// Whether an object that was sent in parts is listed with the hash of the whole.
    package var listsWholeHash = false
    /// The maximum of all bytes; `nil` for no limit.
    package var capacity: Int?
    /// The time by the server's clock.
    package var now = Date(timeIntervalSince1970: 1_795_219_200)
  }

  private struct Upload {
    var key: String
    var headers: HTTPHeaders
    var parts: [Int: [UInt8]] = [:]
  }

  private struct State {
    var objects: [String: Object] = [:]
    var modified: [String: Date] = [:]
    var uploads: [String: Upload] = [:]
    var behaviour = Behaviour()
    var log: [String] = []
    var nextUpload = 1
  }

  private let bucket: String
  private let hash: @Sendable ([UInt8]) -> String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - bucket: The name of the bucket.
  ///   - hash: Returns the ETag of bytes, without quotes.
  package init(bucket: String = "bucket", hash: @escaping @Sendable ([UInt8]) -> String) {
    self.bucket = bucket
    self.hash = hash
  }

  package var objects: [String: Object] {
    get { state.withLock { $0.objects } }
    set { state.withLock { $0.objects = newValue } }
  }

  package var behaviour: Behaviour {
    get { state.withLock { $0.behaviour } }
    set { state.withLock { $0.behaviour = newValue } }
  }

  /// The requests so far: method, key and the names of the query, such as `PUT a/b?partNumber&uploadId`.
  package var log: [String] { state.withLock { $0.log } }

  /// The number of uploads that are not complete.
  package var uploadCount: Int { state.withLock { $0.uploads.count } }

  /// Answers a request.
  package func handle(_ request: ServerRequest) -> ServerResponse {
    let parts = request.segments
    let key = parts.dropFirst().joined(separator: "/")
    var response = state.withLock { state in
      let names = request.query.map(\.name).joined(separator: "&")
      state.log.append("\(request.method) \(key)\(names.isEmpty ? "" : "?\(names)")")
      guard parts.first == bucket else {
        return FakeS3.error(404, "NoSuchBucket", "The specified bucket does not exist")
      }
      return key.isEmpty
        ? answerBucket(request, &state) : answer(request, key: key, &state)
    }
    response.headers["Date"] = FakeS3.httpDate(behaviour.now)
    return response
  }

  /// Returns an error as S3 sends it.
  package static func error(
    _ status: Int, _ code: String, _ message: String = "", more: String = "",
    headers: HTTPHeaders = [:]
  ) -> ServerResponse {
    .text(
      "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>\(message)</Message>\(more)</Error>",
      type: "application/xml", status: status, headers: headers)
  }

  private static func xml(_ text: String) -> ServerResponse {
    .text("<?xml version=\"1.0\"?>\(text)", type: "application/xml")
  }

  static func httpDate(_ date: Date) -> String {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let text: String = date.formatted(.iso8601)
    let day = text.prefix(10).split(separator: "-")
    let month = months[(Int(day[1]) ?? 1) - 1]
    return "Mon, \(day[2]) \(month) \(day[0]) \(text.dropFirst(11).prefix(8)) GMT"
  }
}

extension FakeS3 {
  // MARK: Objects

  private func answer(
    _ request: ServerRequest, key: String, _ state: inout State
  ) -> ServerResponse {
    if let id = request.parameter("uploadId") { return answer(request, key, upload: id, &state) }
    switch request.method {
    case "PUT": return put(request, key, &state)
    case "DELETE":
      state.objects[key] = nil
      return ServerResponse(204)
    case "POST" where request.parameter("uploads") != nil:
      let id = "upload-\(state.nextUpload)"
      state.nextUpload += 1
      state.uploads[id] = Upload(key: key, headers: kept(request.headers))
      return FakeS3.xml(
        "<InitiateMultipartUploadResult><UploadId>\(id)</UploadId></InitiateMultipartUploadResult>")
    default:
      guard let object = state.objects[key] else {
        return FakeS3.error(404, "NoSuchKey", "The specified key does not exist.")
      }
      var headers = object.headers
      headers["ETag"] = "\"\(object.etag)\""
      return ServerResponse(200, headers: headers, body: .bytes(object.bytes))
    }
  }

  private func put(
    _ request: ServerRequest, _ key: String, _ state: inout State
  ) -> ServerResponse {
    if let refusal = refusal(request, key, state) { return refusal }
    let size = state.objects.values.reduce(request.body.count) { $0 + $1.bytes.count }
    if let capacity = state.behaviour.capacity, size > capacity {
      return FakeS3.error(507, "InsufficientStorage", "no space left")
    }
    return store(request.body, kept(request.headers), key, &state)
  }

  private func store(
    _ bytes: [UInt8], _ headers: HTTPHeaders, _ key: String, etag: String? = nil,
    _ state: inout State
  ) -> ServerResponse {
    let etag = etag ?? hash(bytes)
    state.objects[key] = Object(bytes: bytes, headers: headers, etag: etag)
    state.modified[key] = state.behaviour.now
    return ServerResponse(200, headers: ["ETag": "\"\(etag)\""])
  }

  private func refusal(
    _ request: ServerRequest, _ key: String, _ state: State
  ) -> ServerResponse? {
    let match = request.headers["If-Match"]
    let none = request.headers["If-None-Match"]
    guard match != nil || none != nil else { return nil }
    let failed = FakeS3.error(412, "PreconditionFailed", "a condition did not hold")
    switch state.behaviour.conditions {
    case .ignored: return nil
    case .refused: return FakeS3.error(501, "NotImplemented", "this storage does not offer that")
    case .honoured, .unquoted:
      if none != nil { return state.objects[key] == nil ? nil : failed }
      guard let object = state.objects[key] else { return FakeS3.error(404, "NoSuchKey") }
      let isUnquoted = state.behaviour.conditions == .unquoted
      let wanted = isUnquoted ? object.etag : "\"\(object.etag)\""
      return match == wanted ? nil : failed
    }
  }

  private func kept(_ headers: HTTPHeaders) -> HTTPHeaders {
    HTTPHeaders(
      headers.fields.filter {
        let name = $0.name.lowercased()
        return ["content-type", "cache-control"].contains(name) || name.hasPrefix("x-amz-meta-")
      })
  }

  // MARK: Uploads in parts

  private func answer(
    _ request: ServerRequest, _ key: String, upload id: String, _ state: inout State
  ) -> ServerResponse {
    guard let upload = state.uploads[id], upload.key == key else {
      return FakeS3.error(404, "NoSuchUpload", "The specified upload does not exist.")
    }
    switch request.method {
    case "PUT":
      let number = request.parameter("partNumber").flatMap { Int($0) } ?? 0
      state.uploads[id]?.parts[number] = request.body
      return ServerResponse(200, headers: ["ETag": "\"\(hash(request.body))\""])
    case "GET":
      let parts = upload.parts.sorted { $0.key < $1.key }.map { number, bytes in
        "<Part><PartNumber>\(number)</PartNumber><ETag>\"\(hash(bytes))\"</ETag></Part>"
      }
      return FakeS3.xml("<ListPartsResult>\(parts.joined())</ListPartsResult>")
    case "DELETE":
      state.uploads[id] = nil
      return ServerResponse(204)
    default:
      var bytes: [UInt8] = []
      for (_, part) in upload.parts.sorted(by: { $0.key < $1.key }) {
        bytes.append(contentsOf: part)
      }
      state.uploads[id] = nil
      let etag = "\(hash(bytes))-\(upload.parts.count)"
      let kept = state.behaviour.listsWholeHash ? hash(bytes) : etag
      _ = store(bytes, upload.headers, key, etag: kept, &state)
      return FakeS3.xml(
        "<CompleteMultipartUploadResult><ETag>\"\(etag)\"</ETag></CompleteMultipartUploadResult>")
    }
  }

  // MARK: The bucket

  private func answerBucket(_ request: ServerRequest, _ state: inout State) -> ServerResponse {
    guard request.method == "POST" else { return list(request, state) }
    guard state.behaviour.deletesMany else {
      return FakeS3.error(501, "NotImplemented", "this storage does not offer that")
    }
    guard request.text.unicodeScalars.allSatisfy({ $0.value >= 0x20 || $0 == "\n" }) else {
      return FakeS3.error(400, "MalformedXML", "illegal character")
    }
    for part in request.text.split(separator: "<Key>").dropFirst() {
      let key = String(part.prefix { $0 != "<" }).replacing("&lt;", with: "<")
      state.objects[key.replacing("&gt;", with: ">").replacing("&amp;", with: "&")] = nil
    }
    return FakeS3.xml("<DeleteResult></DeleteResult>")
  }

  private func list(_ request: ServerRequest, _ state: State) -> ServerResponse {
    let prefix = request.parameter("prefix") ?? ""
    let limit = min(
      request.parameter("max-keys").flatMap { Int($0) } ?? 1_000, state.behaviour.pageSize)
    let start = request.parameter("continuation-token") ?? ""
    let keys = state.objects.keys.filter { $0.hasPrefix(prefix) && $0 > start }.sorted()
    let page = keys.prefix(limit)
    let isEncoded = request.parameter("encoding-type") == "url"
    let contents = page.map { key in
      let object = state.objects[key]
      let time: String = (state.modified[key] ?? state.behaviour.now).formatted(.iso8601)
      let name = isEncoded ? FakeS3.encoded(key) : key
      return "<Contents><Key>\(name)</Key><LastModified>\(time.dropLast()).000Z</LastModified>"
        + "<ETag>&quot;\(object?.etag ?? "")&quot;</ETag><Size>\(object?.bytes.count ?? 0)</Size></Contents>"
    }
    let isCut = keys.count > page.count
    let next = isCut ? "<NextContinuationToken>\(page.last ?? "")</NextContinuationToken>" : ""
    return FakeS3.xml(
      "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
        + (isEncoded ? "<EncodingType>url</EncodingType>" : "")
        + "<IsTruncated>\(isCut)</IsTruncated>\(next)\(contents.joined())</ListBucketResult>")
  }

  /// Returns a key as in a form.
  private static func encoded(_ key: String) -> String {
    key.split(separator: " ", omittingEmptySubsequences: false)
      .map { WebURL.percentEncoded(String($0)) }.joined(separator: "+")
  }
}
