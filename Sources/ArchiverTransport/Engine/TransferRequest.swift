import ArchiverCore

/// One hop of a request, with everything decided: what the engine carries out.
struct TransferRequest: Sendable {
  var url: WebURL
  var method: HTTPRequest.Method
  var headers: HTTPHeaders
  var body: [UInt8]?
  var destination: BodyDestination
  var timeouts: HTTPTimeouts
  /// When the whole request, redirects included, must be over.
  var deadline: ContinuousClock.Instant?
  var permit: AddressGuard.Permit
  /// Only when this hop goes to the credential's origin.
  var credential: Credential?
  /// Certificate authorities for this hop beside the system's.
  var authorities: CertificateAuthorities?

  /// Whether the body goes to a sink, however large it is.
  var isDownload: Bool {
    if case .sink = destination { true } else { false }
  }

  /// Which handles share what Digest authentication learned; `nil` when it is not used.
  var digestKey: String? {
    guard case .negotiated(let user, _) = credential else { return nil }
    return "\(user)@\(url.origin)"
  }
}

/// Certificate authorities to trust beside the system's.
enum CertificateAuthorities: Sendable, Hashable {
  /// A PEM file; curl reads the system's own from a folder besides.
  case file(String)
  /// The system's and the added ones as one PEM text, where curl knows no such folder.
  case merged([UInt8])
}
