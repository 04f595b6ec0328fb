import ArchiverMarkup

/// Encryption declared in `META-INF` (OCF section 4.2.6.3).
struct Encryption {
  /// Obfuscated fonts by path.
  private(set) var fonts: [String: FontObfuscation] = [:]
  /// Encrypted files by path, each with the scheme.
  private(set) var locked: [String: String] = [:]
  /// Files that are not assets and are declared to be encrypted, each with the scheme.
  private var texts: [(path: String, scheme: String)] = []
  /// Why the book cannot be read; `nil` if it can.
  private(set) var protection: String?
  /// Why the declarations could not be read; `nil` if they could.
  private(set) var problem: String?

  /// Throws if the declarations cannot be read, and the book has a licence, so that it may be encrypted.
  init(_ archive: ZipArchive) throws(EPUBError) {
    let license = Encryption.markers.last { archive.name(matching: $0.file) != nil }
    do throws(EPUBError) {
      guard let bytes = try archive.text(Encryption.path) else { return }
      read(try XMLDocument.ofBook(bytes, named: Encryption.path))
    } catch  where license == nil && (error.isOfOneEntry || error.code == .malformed) {
      problem = error.message
    }
    for (path, scheme) in texts {
      if license == nil, Encryption.isReadable(path, archive) {
        locked[path] = nil
      } else {
        protection = protection ?? scheme
      }
    }
    // A licence names the scheme; without encrypted files it has no effect.
    if protection != nil, let license { protection = license.scheme }
  }

  private static let path = "META-INF/encryption.xml"

  private static let markers: [(file: String, scheme: String)] = [
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
  /// unreadable, unless it is in fact not encrypted.
  private mutating func lock(_ path: String, _ scheme: String) {
    locked[path] = scheme
    if FileType.of(path: path, mediaType: nil) == nil { texts.append((path, scheme)) }
  }

  /// Whether a file begins as markup does, although the book says that it is encrypted.
  private static func isReadable(_ path: String, _ archive: ZipArchive) -> Bool {
    // An unreadable file is reported when its page is written.
    guard let entry = archive.name(matching: path), let bytes = try? archive.text(entry) else {
      return false
    }
    let start = bytes.prefix(256).drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return start.count >= 16 && start.first == 0x3C
      && start.prefix(16).allSatisfy { $0 < 0x80 && $0 >= 0x09 }
  }
}
