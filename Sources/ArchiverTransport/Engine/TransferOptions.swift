import ArchiverCore
import CCurl

/// Sets on a handle every option that differs between transfers.
struct TransferOptions {
  let request: TransferRequest
  let configuration: TransportConfiguration
  let proxies: ProxySettings

  typealias List = UnsafeMutablePointer<curl_slist>

  /// Applies the request to a handle. Returns the lists that must live as long as the transfer.
  func apply(to easy: EasyHandle, context: UnsafeMutableRawPointer) -> [List] {
    easy.clearErrorMessage()
    for option in [
      CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA,
      CURLOPT_PREREQDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
    ] { easy.set(option, pointer: context) }
    easy.set(CURLOPT_URL, request.url.absoluteString)
    easy.set(CURLOPT_USERAGENT, configuration.userAgent)
    easy.set(CURLOPT_CONNECTTIMEOUT_MS, request.timeouts.connect.milliseconds)
    // Waiting to share a connection pays only if it can be multiplexed.
    easy.set(CURLOPT_PIPEWAIT, request.url.scheme == "https" ? 1 : 0)
    easy.set(CURLOPT_PROXY, proxies.proxy(forScheme: request.url.scheme))
    easy.set(CURLOPT_NOPROXY, proxies.exceptions)
    // Ranges count encoded bytes, so a range is requested only without a content coding.
    easy.set(CURLOPT_ACCEPT_ENCODING, request.headers["Range"] == nil ? "" : nil)
    setMethod(easy)
    setCredential(easy)
    setAuthorities(easy)
    let lists = [TransferOptions.list(headerLines), TransferOptions.list(pins)]
    easy.set(CURLOPT_HTTPHEADER, list: lists[0])
    easy.set(CURLOPT_RESOLVE, list: lists[1])
    return lists.compactMap(\.self)
  }

  private func setMethod(_ easy: EasyHandle) {
    easy.set(CURLOPT_HTTPGET, 1)
    easy.set(
      CURLOPT_CUSTOMREQUEST,
      [.delete, .patch].contains(request.method) ? request.method.rawValue : nil)
    switch request.method {
    case .get, .delete: break
    case .head: easy.set(CURLOPT_NOBODY, 1)
    case .put:
      easy.set(CURLOPT_UPLOAD, 1)
      easy.set(CURLOPT_INFILESIZE_LARGE, offset: bodyCount)
    case .post where request.upload != nil:
      easy.set(CURLOPT_POST, 1)
      easy.set(CURLOPT_POSTFIELDS, pointer: nil)
      easy.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: bodyCount)
    case .post, .patch:
      let body = request.body ?? []
      easy.set(CURLOPT_POST, 1)
      easy.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: body.count)
      body.withUnsafeBytes {
        easy.set(
          CURLOPT_COPYPOSTFIELDS, pointer: UnsafeMutableRawPointer(mutating: $0.baseAddress))
      }
      if body.isEmpty { easy.set(CURLOPT_COPYPOSTFIELDS, "") }
    }
  }

  private var bodyCount: Int { request.upload?.totalCount ?? request.body?.count ?? 0 }

  /// The size of a body, in bytes, from which on a server is asked first whether it takes the body: a
  /// refusal then costs a round trip in place of the body.
  private var waitingSize: Int { 1 << 20 }

  private func setCredential(_ easy: EasyHandle) {
    switch request.credential {
    case .basic(let user, let password):
      setLogin(easy, user, password, archiver_auth_basic)
    case .negotiated(let user, let password):
      setLogin(easy, user, password, archiver_auth_digest | archiver_auth_basic)
    case .bearer, nil:
      easy.set(CURLOPT_HTTPAUTH, archiver_auth_basic)
      easy.set(CURLOPT_USERNAME, nil)
      easy.set(CURLOPT_PASSWORD, nil)
    }
  }

  private func setLogin(_ easy: EasyHandle, _ user: String, _ password: Secret, _ methods: Int) {
    easy.set(CURLOPT_HTTPAUTH, methods)
    easy.set(CURLOPT_USERNAME, user)
    easy.set(CURLOPT_PASSWORD, password.reveal())
  }

  private func setAuthorities(_ easy: EasyHandle) {
    var file = CertificateAuthorities.systemFile
    var merged: [UInt8] = []
    switch request.authorities {
    case .file(let path): file = path
    case .merged(let bytes): merged = bytes
    case nil: break
    }
    easy.set(CURLOPT_CAINFO, file)
    merged.withUnsafeBytes {
      let start = merged.isEmpty ? nil : $0.baseAddress
      _ = archiver_set_blob(easy.pointer, CURLOPT_CAINFO_BLOB, start, $0.count)
    }
  }

  private var headerLines: [String] {
    var headers = request.headers
    if headers["Range"] != nil { headers["Accept-Encoding"] = "identity" }
    if case .bearer(let token) = request.credential {
      headers["Authorization"] = "Bearer \(token.reveal())"
    }
    // curl expects a semicolon in place of the colon for a field without a value.
    var lines = headers.fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    if let field = headers["Expect"], field.isEmpty {
      lines = lines.filter { $0 != "Expect;" } + ["Expect:"]
    } else if hasForm && request.upload == nil
      || [.put, .post].contains(request.method) && bodyCount < waitingSize
    {
      lines.append("Expect:")
    }
    if hasForm, headers["Content-Type"] == nil { lines.append("Content-Type:") }
    return lines
  }

  /// Whether the body is sent as curl sends forms.
  private var hasForm: Bool { [.post, .patch].contains(request.method) }

  private var pins: [String] {
    guard !request.permit.pinned.isEmpty else { return [] }
    let addresses = request.permit.pinned.map { $0.isIPv4 ? "\($0)" : "[\($0)]" }
    return ["+\(request.url.host):\(request.url.origin.port):\(addresses.joined(separator: ","))"]
  }

  private static func list(_ lines: [String]) -> List? {
    lines.reduce(nil) { curl_slist_append($0, $1) ?? $0 }
  }
}

extension CertificateAuthorities {
  /// The file of authorities that curl was built with; `nil` if there is none.
  static let systemFile = path(of: \.cainfo)

  /// Reads the authorities that an access names. Throws `.tls` if the file cannot be read.
  static func adding(_ file: String) throws(HTTPError) -> CertificateAuthorities {
    guard let added = FileManager.default.contents(atPath: file) else {
      throw HTTPError(.tls, "the certificate file \(file) cannot be read")
    }
    if path(of: \.capath) != nil { return .file(file) }
    let system = systemFile.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
    return .merged(Array(system) + [0x0A] + Array(added))
  }

  private static func path(
    of field: KeyPath<curl_version_info_data, UnsafePointer<CChar>?>
  ) -> String? {
    // Both paths exist since curl 7.70, older than the options used here.
    curl_version_info(CURLVERSION_SEVENTH)?.pointee[keyPath: field].map { String(cString: $0) }
  }
}

extension Duration {
  /// Whole milliseconds, at least one.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
