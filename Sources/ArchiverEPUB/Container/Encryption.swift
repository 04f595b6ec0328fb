import ArchiverMarkup

/// Encryption declared in `META-INF` (OCF section 4.2.6.3).
struct Encryption {
  /// Obfuscated fonts by path.
  private(set) var fonts: [String: FontObfuscation] = [:]
  /// Encrypted files by path, each with the scheme.
  private(set) var locked: [String: String] = [:]
  /// Why the book cannot be read; `nil` if it can.
  private(set) var protection: String?

  init(_ archive: ZipArchive) throws(EPUBError) {
    guard let bytes = try archive.text("META-INF/encryption.xml") else { return }
    do throws(MarkupError) {
      try read(XMLDocument(bytes, recovering: true))
    } catch {
      throw EPUBError(.malformed, "META-INF/encryption.xml cannot be read: \(error.message)")
    }
    // A licence names the scheme; without encrypted files it has no effect.
    guard protection != nil else { return }
    for (file, scheme) in Encryption.markers where archive.name(matching: file) != nil {
      protection = scheme
    }
  }

  private static let markers = [
    ("META-INF/rights.xml", "Adobe ADEPT"), ("META-INF/sinf.xml", "Apple FairPlay"),
    ("META-INF/license.lcpl", "Readium LCP"),
  ]

  private mutating func read(_ document: XMLDocument) {
    for entry in document.root?.descendants("EncryptedData") ?? [] {
      let algorithm = entry.child("EncryptionMethod")?.attribute("Algorithm") ?? ""
      let reference = entry.descendants("CipherReference").first?.attribute("URI") ?? ""
      let path = PercentEncoding.decoded(reference)
      if let obfuscation = FontObfuscation(algorithm: algorithm) {
        fonts[path] = obfuscation
      } else if !algorithm.isEmpty || entry.descendants("Compression").isEmpty {
        lock(path, "encryption (\(algorithm.isEmpty ? "unknown" : algorithm))")
      }
    }
  }
  /// An encrypted font, image or audio file counts as missing; any other file makes the book
  /// unreadable.
  private mutating func lock(_ path: String, _ scheme: String) {
    locked[path] = scheme
    if FileType.of(path: path, mediaType: nil) == nil { protection = protection ?? scheme }
  }
}
