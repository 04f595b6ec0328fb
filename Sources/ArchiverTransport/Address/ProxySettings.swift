import ArchiverCore
import CCurl

/// The proxies that an environment names, read the way curl reads them.
struct ProxySettings: Sendable {
  /// The proxy's address for each scheme; empty when there is none.
  let http: String
  let https: String
  /// The hosts that are reached without a proxy; curl matches them.
  let exceptions: String

  init(environment: [String: String]) {
    // HTTP_PROXY is ignored: under CGI a request's `Proxy:` field could set it.
    let all = environment["all_proxy"] ?? environment["ALL_PROXY"] ?? ""
    http = environment["http_proxy"] ?? all
    https = environment["https_proxy"] ?? environment["HTTPS_PROXY"] ?? all
    exceptions = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
  }

  func proxy(forScheme scheme: String) -> String { scheme == "https" ? https : http }

  /// Returns the host of the proxy for a scheme; `nil` if there is none.
  func host(forScheme scheme: String) -> String? {
    let proxy = proxy(forScheme: scheme)
    guard !proxy.isEmpty, let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    let flags = UInt32(CURLU_DEFAULT_SCHEME | CURLU_NON_SUPPORT_SCHEME)
    var host: UnsafeMutablePointer<CChar>?
    guard curl_url_set(url, CURLUPART_URL, proxy, flags) == CURLUE_OK,
      archiver_url_get(url, CURLUPART_HOST, &host, 0) == CURLUE_OK, let host
    else { return nil }
    defer { curl_free(host) }
    return String(cString: host)
  }
}
