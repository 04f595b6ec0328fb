package import ArchiverCore

extension CurlEngine {
  /// Returns a client for a source; with `nil`, one for anything else.
  ///
  /// It adds the credential, headers and certificate authorities of `access` to requests for
  /// `access.origin` only. Only that origin, and what `policy` names, may have a private address.
  package func client(access: SourceAccess?, policy: AddressPolicy) -> any HTTPClient {
    CurlHTTPClient(
      engine: self, access: access,
      addressGuard: AddressGuard(
        resolver: resolver, proxies: proxies, policy: policy, source: access?.origin))
  }
}
