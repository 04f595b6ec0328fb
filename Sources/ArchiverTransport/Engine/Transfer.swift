import ArchiverCore
import CCurl

/// One hop in flight. After `CurlEngine.submit` only the engine's thread uses it, hence the
/// unchecked conformance.
final class Transfer: @unchecked Sendable {
  typealias Outcome = Result<HTTPResponse, HTTPError>

  let request: TransferRequest
  /// Cached from the request: checked repeatedly while the transfer waits.
  let isDownload: Bool
  private let continuation: CheckedContinuation<Outcome, Never>

  private(set) var easy: EasyHandle?
  private var lists: [UnsafeMutablePointer<curl_slist>] = []
  private(set) var head: HTTPResponseHead?
  private var body: [UInt8] = []
  private var upload: UploadReader?
  private var decodedCount = 0
  /// Why the engine ended the transfer.
  private(set) var failure: HTTPError?
  private var isCut = false
  /// Whether this is the second attempt.
  private(set) var isRepeated = false
  /// Whether the body is passed on as received, because its content coding does not exist.
  private var isRaw = false
  /// When the last byte arrived; `nil` before there is a connection.
  private(set) var lastActivity: ContinuousClock.Instant?

  private static let errorBodyLimit = 64 << 10
  /// The maximum expansion ratio of a large decoded body. One that exceeds it is rejected as a
  /// decompression bomb.
  private static let maxExpansionRatio = 100
  private static let growthFloor = 8 << 20

  init(_ request: TransferRequest, _ continuation: CheckedContinuation<Outcome, Never>) {
    self.request = request
    isDownload = request.isDownload
    self.continuation = continuation
  }

  static func from(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Prepares a handle for this transfer; `finish` or `release` returns it.
  func attach(_ easy: EasyHandle, _ configuration: TransportConfiguration, _ proxies: ProxySettings)
  {
    self.easy = easy
    lists = TransferOptions(request: request, configuration: configuration, proxies: proxies)
      .apply(to: easy, context: Unmanaged.passUnretained(self).toOpaque())
    easy.set(CURLOPT_HTTP_CONTENT_DECODING, isRaw ? 0 : 1)
  }

  func release() {
    for list in lists { curl_slist_free_all(list) }
    lists = []
    easy = nil
  }

  /// Resumes the waiting task; called once.
  func resume(_ outcome: Outcome) {
    continuation.resume(returning: outcome)
  }

  /// Records why the transfer is ended, unless a reason is recorded already.
  func fail(_ error: HTTPError) {
    if failure == nil { failure = error }
  }

  /// Records activity of the server. The loop reads the clock, once for many bytes.
  func noteActivity() {
    isActive = true
  }

  private var isActive = false

  /// Returns the time of the last activity; activity since the last call counts as of `now`.
  func activity(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    if isActive {
      isActive = false
      lastActivity = now
    }
    return lastActivity
  }

  /// Copies the next bytes of the body to send into a buffer. Returns their count, or `nil` to abort.
  func provide(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    noteActivity()
    do throws(HTTPError) {
      let reader: UploadReader
      if let upload { reader = upload } else { reader = try UploadReader(request) }
      upload = reader
      return try reader.read(into: buffer)
    } catch {
      fail(error)
      return nil
    }
  }

  /// Continues the body to send from an offset, because curl sends it again.
  func rewind(to offset: Int) { upload?.position = offset }

  /// Opens a socket for an address; returns `CURL_SOCKET_BAD` if the permit does not cover it.
  func openSocket(_ address: inout curl_sockaddr) -> curl_socket_t {
    let length = Int(address.addrlen)
    let target = withUnsafePointer(to: &address.addr) {
      IPAddress(socketAddress: $0, length: length)
    }
    guard let target, request.permit.allows(target) else {
      deny(target?.description ?? "an IP address that is neither IPv4 nor IPv6")
      return archiver_socket_bad
    }
    #if canImport(Glibc)
      let type = address.socktype | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let type = address.socktype
    #endif
    return socket(address.family, type, address.protocol)
  }

  /// Begins the request on a new or pooled connection; returns false if its address is not
  /// permitted.
  func begin(connectedTo remote: String) -> Bool {
    noteActivity()
    if request.permit.isUnrestricted { return true }
    let bare = String(remote.prefix { $0 != "%" })
    guard let address = IPAddress(bare), request.permit.allows(address) else {
      deny(remote)
      return false
    }
    return true
  }

  private func deny(_ address: String) {
    fail(
      HTTPError(
        .addressDenied,
        "\(request.url.withoutQuery) was not requested: \(address) is not a public address"))
  }

  /// Receives a chunk of the decoded body; returns false to abort the transfer.
  func receive(_ piece: UnsafeRawBufferPointer) -> Bool {
    noteActivity()
    do throws(HTTPError) {
      let head = try currentHead()
      guard (200..<300).contains(head.status) else { return receiveErrorBody(piece) }
      try receive(piece, head)
      return true
    } catch {
      fail(error)
      return false
    }
  }

  private func receive(_ piece: UnsafeRawBufferPointer, _ head: HTTPResponseHead) throws(HTTPError)
  {
    decodedCount += piece.count
    try checkGrowth(head)
    switch request.destination {
    case .memory(let limit):
      guard decodedCount <= limit else { throw tooLarge(limit) }
      body.append(contentsOf: piece)
    case .sink(let sink, let limit):
      guard decodedCount <= limit else { throw tooLarge(limit) }
      do { try sink.receive(piece) } catch { throw sinkFailure(error) }
    }
  }

  private func checkGrowth(_ head: HTTPResponseHead) throws(HTTPError) {
    guard decodedCount > Transfer.growthFloor, let easy, head.headers["Content-Encoding"] != nil
    else { return }
    // curl may have read a buffer more than it has counted.
    let received = easy.offset(CURLINFO_SIZE_DOWNLOAD_T) + (64 << 10)
    guard decodedCount / Transfer.maxExpansionRatio > received else { return }
    throw HTTPError(
      .tooLarge,
      "\(request.url.withoutQuery) expands to more than \(Transfer.maxExpansionRatio) times its size, a "
        + "fixed limit"
    )
  }

  // Receives the body of an error response. Such bodies are short; a longer one is not worth its
  // connection.
  private func receiveErrorBody(_ piece: UnsafeRawBufferPointer) -> Bool {
    let room = Transfer.errorBodyLimit - body.count
    body.append(contentsOf: piece.prefix(room))
    isCut = piece.count > room
    return !isCut
  }

  /// Reads status and fields of the final response, once, and passes them to the sink.
  private func currentHead() throws(HTTPError) -> HTTPResponseHead {
    if let head { return head }
    let head = readHead()
    self.head = head
    guard (200..<300).contains(head.status), request.method != .head else { return head }
    let announced = announcedLength(head)
    switch request.destination {
    case .memory(let limit):
      guard announced <= limit else { throw tooLarge(limit) }
      body.reserveCapacity(min(announced, 1 << 20))
    case .sink(let sink, let limit):
      guard announced <= limit else { throw tooLarge(limit) }
      do { try sink.begin(head) } catch { throw sinkFailure(error) }
    }
    return head
  }

  private func announcedLength(_ head: HTTPResponseHead) -> Int {
    guard head.headers["Content-Encoding"] == nil else { return 0 }
    return max(0, easy?.offset(CURLINFO_CONTENT_LENGTH_DOWNLOAD_T) ?? 0)
  }

  private func readHead() -> HTTPResponseHead {
    var headers = HTTPHeaders()
    var previous: UnsafeMutablePointer<curl_header>?
    while let field = curl_easy_nextheader(
      easy?.pointer, UInt32(CURLH_HEADER), -1, previous)
    {
      headers.append(String(cString: field.pointee.name), Transfer.text(field.pointee.value))
      previous = field
    }
    if isRaw { headers["Content-Encoding"] = nil }
    return HTTPResponseHead(
      status: easy?.long(CURLINFO_RESPONSE_CODE) ?? 0, headers: headers, url: request.url)
  }

  // Decodes a field value: as UTF-8, else as Latin-1, the historical encoding (RFC 9110, 5.5).
  private static func text(_ value: UnsafePointer<CChar>) -> String {
    if let text = String(validatingCString: value) { return text }
    var text = String.UnicodeScalarView()
    var next = value
    while next.pointee != 0 {
      text.append(Unicode.Scalar(UInt8(bitPattern: next.pointee)))
      next += 1
    }
    return String(text)
  }

  private func tooLarge(_ limit: Int) -> HTTPError {
    let isFixed = if case .memory = request.destination { true } else { false }
    return HTTPError(
      .tooLarge,
      "\(request.url.withoutQuery) is too large" + (isFixed ? " \(Limit.fixed(bytes: limit))" : ""))
  }

  private func sinkFailure(_ error: any Error) -> HTTPError {
    HTTPError(
      .sink, "the body of \(request.url.withoutQuery) could not be stored", underlying: error)
  }

  /// Prepares the transfer for another attempt with a new handle, if the server refused no more than the
  /// nonce of this one, or if the body has a content coding that does not exist. Returns false if the
  /// outcome is final, as it is after a second refusal: servers lock accounts. Called once when an
  /// attempt has ended.
  func startsAgain(after code: CURLcode) -> Bool {
    guard let easy else { return false }
    if code != CURLE_OK, namesNoCoding {
      isRaw = true
    } else {
      guard request.digestKey != nil else { return false }
      let status = easy.long(CURLINFO_RESPONSE_CODE)
      let isReplaced = easy.digest.learn(status: status, challenges: easy.digestChallenges)
      guard isReplaced, !isRepeated, failure == nil else { return false }
    }
    isRepeated = true
    (head, body, upload, decodedCount, isCut) = (nil, [], nil, 0, false)
    return true
  }

  /// Whether curl refused a body only because its `Content-Encoding` names no coding but, for example,
  /// `utf-8` or `aws-chunked`. Browsers ignore such names.
  private var namesNoCoding: Bool {
    guard request.method == .get, !isRaw, failure == nil, head == nil else { return false }
    let names = readHead().headers.values("Content-Encoding").flatMap { $0.split(separator: ",") }
      .map { $0.filter { !$0.isWhitespace }.lowercased() }.filter { !$0.isEmpty }
    return !names.isEmpty && Transfer.codings.isDisjoint(with: names)
  }

  /// The registered content codings (RFC 9110 section 16.6.1) besides `identity`.
  private static let codings: Set<String> = [
    "aes128gcm", "br", "compress", "dcb", "dcz", "deflate", "exi", "gzip", "pack200-gzip",
    "x-compress", "x-gzip", "zstd",
  ]

  /// Returns the outcome of the transfer, given curl's result code.
  func outcome(_ code: CURLcode) -> Outcome {
    guard let easy else { return .failure(.cancelled(request.url)) }
    if let failure { return .failure(failure) }
    guard code == CURLE_OK || isCut else {
      return .failure(.transfer(request.url, code, easy))
    }
    do throws(HTTPError) {
      let head = try currentHead()
      return .success(
        HTTPResponse(head: head, body: body, byteCount: easy.offset(CURLINFO_SIZE_DOWNLOAD_T)))
    } catch {
      return .failure(error)
    }
  }
}
