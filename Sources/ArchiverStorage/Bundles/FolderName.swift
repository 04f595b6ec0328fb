import ArchiverCore

/// The names of bundle directories: `<source>/<slug>-<shortid>`.
///
/// The slug is for people: letters and digits of any script in lower case, everything else single
/// hyphens, at most 60 bytes of UTF-8 and never a partial character. The short id distinguishes
/// items with the same title: the first ten hex digits of SHA-256 over source, NUL and id. A name
/// never starts or ends with a dot and is never a device name of Windows.
enum FolderName {
  static let slugLimit = 60

  static func folder(for key: ItemKey, sourceFolder: String, title: String) -> String {
    "\(source(sourceFolder))/\(slug(title) ?? "untitled")-\(shortID(key))"
  }

  static func shortID(_ key: ItemKey) -> String {
    String(Digest.sha256Hex("\(key.source)\0\(key.id)").prefix(10))
  }

  /// Returns the directory of a source; never a name reserved for the library or the system.
  static func source(_ name: String) -> String {
    let slug = slug(name) ?? "source"
    return reserved.contains(slug) ? "\(slug)-source" : slug
  }

  /// Returns the slug of a text; `nil` if it has no letter or digit.
  static func slug(_ text: String) -> String? {
    var slug = ""
    var byteCount = 0
    var pendingHyphen = false
    for character in text.lowercased() {
      guard let kept = kept(character) else {
        pendingHyphen = !slug.isEmpty
        continue
      }
      let needed = kept.utf8.count + (pendingHyphen ? 1 : 0)
      guard byteCount + needed <= slugLimit else { break }
      if pendingHyphen { slug += "-" }
      pendingHyphen = false
      slug += kept
      byteCount += needed
    }
    return slug.isEmpty ? nil : slug
  }

  /// Returns the part of a character that a slug keeps: a letter or digit with its marks.
  private static func kept(_ character: Character) -> String? {
    // A letter that combines with the character before it, such as a voicing mark, would combine
    // with the slash.
    guard let first = character.unicodeScalars.first, isLetterOrDigit(first),
      !first.properties.isGraphemeExtend
    else { return nil }
    var kept = String.UnicodeScalarView()
    for scalar in character.unicodeScalars where isLetterOrDigit(scalar) || isMark(scalar) {
      kept.append(scalar)
    }
    return String(kept)
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber:
      !scalar.properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark: !scalar.properties.isDefaultIgnorableCodePoint
    default: false
    }
  }

  private static let reserved: Set<String> = {
    var names: Set<String> = ["library", "index", "versions", "con", "prn", "aux", "nul"]
    for digit in 1...9 { names.formUnion(["com\(digit)", "lpt\(digit)"]) }
    return names
  }()
}
