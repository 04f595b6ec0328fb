import ArchiverCore

/// One hop of a request, fully decided, as the engine performs it.
struct TransferRequest: Sendable {
  var url: WebURL
  var method: HTTPRequest.Method
  var headers: HTTPHeaders
  var body: [UInt8]?
  var upload: FileSlice?
  var destination: BodyDestination
  var timeouts: HTTPTimeouts
  /// The deadline of the whole request, redirects included.
  var deadline: ContinuousClock.Instant?
  var permit: AddressGuard.Permit
  /// Set only if this hop goes to the credential's origin.
  var credential: Credential?
  /// Certificate authorities for this hop besides the system's.
  var authorities: CertificateAuthorities?

  /// Whether the body goes to a sink, whatever its size.
  var isDownload: Bool {
    if case .sink = destination { true } else { false }
  }

  /// Identifies the handles that share what Digest authentication learned; `nil` if it is not used.
  var digestKey: String? {
    guard case .negotiated(let user, _) = credential else { return nil }
    return "\(user)@\(url.origin)"
  }
}

/// Certificate authorities to trust besides the system's.
enum CertificateAuthorities: Sendable, Hashable {
  /// A PEM file; curl also reads the system's authorities from a directory.
  case file(String)
  /// The system's and the added authorities as one PEM text, if curl knows no such directory.
  case merged([UInt8])
}
