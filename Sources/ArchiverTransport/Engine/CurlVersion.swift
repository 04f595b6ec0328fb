import CCurl

/// The library that makes the connections.
package enum CurlVersion {
  /// "libcurl/8.14.1 OpenSSL/3.5.4 …", as the library says of itself.
  package static var text: String { String(cString: curl_version()) }
}
