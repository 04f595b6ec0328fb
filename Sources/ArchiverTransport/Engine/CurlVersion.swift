import CCurl

/// The version of libcurl.
package enum CurlVersion {
  /// "libcurl/8.14.1 OpenSSL/3.5.4 …", as libcurl reports it.
  package static var text: String { String(cString: curl_version()) }
}
