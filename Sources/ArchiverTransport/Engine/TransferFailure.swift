import ArchiverCore
import CCurl

extension HTTPError {
  /// Returns the error for a transfer that curl ended with this code.
  static func transfer(_ url: WebURL, _ code: CURLcode, _ easy: EasyHandle) -> HTTPError {
    var detail = easy.errorMessage
    if detail.isEmpty { detail = String(cString: curl_easy_strerror(code)) }
    let systemError = Int32(easy.long(CURLINFO_OS_ERRNO))
    let kind = Code(curl: code, detail: detail, systemError: systemError)
    // OpenSSL's and GnuTLS's messages for a response in plain HTTP.
    let isPlain =
      kind == .tls
      && ["wrong version number", "packet length too long", "unexpected TLS packet"].contains {
        detail.contains($0)
      }
    let phrase = isPlain ? "does not speak TLS; perhaps its URL is http://" : kind.phrase
    return HTTPError(kind, "\(url.withoutQuery) \(phrase): \(detail)", origin: url.origin)
  }
}

extension HTTPError.Code {
  init(curl code: CURLcode, detail: String, systemError: Int32) {
    switch code {
    case CURLE_URL_MALFORMAT: self = .badURL
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .resolve
    case CURLE_COULDNT_CONNECT, CURLE_PROXY: self = .connect
    case CURLE_OPERATION_TIMEDOUT: self = .timeout
    case CURLE_PARTIAL_FILE: self = .truncated
    case CURLE_FILESIZE_EXCEEDED: self = .tooLarge
    case CURLE_SSL_CONNECT_ERROR:
      // The peer closed the connection during the handshake, which says nothing about trust.
      self = systemError == ECONNRESET || detail.contains("SYSCALL") ? .connectionLost : .tls
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_USE_SSL_FAILED,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT:
      self = .tls
    case CURLE_RECV_ERROR where detail.contains("chunk"):
      // curl reports a malformed chunk with the code of a lost connection.
      self = .protocolError
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
      CURLE_WRITE_ERROR:
      self = .protocolError
    default: self = .connectionLost
    }
  }

  fileprivate var phrase: String {
    switch self {
    case .resolve, .connect, .badURL: "cannot be reached"
    case .tls: "cannot be trusted"
    case .timeout: "took too long"
    case .truncated: "was truncated"
    case .protocolError: "violates HTTP"
    default: "failed"
    }
  }
}
