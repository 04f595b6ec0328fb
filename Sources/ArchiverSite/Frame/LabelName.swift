/// File names for labels, sources and the like, whose own names may contain any character.
enum LabelName {
  /// Returns the path of the page of a label or a source.
  static func path(_ name: String, in section: LibraryShell.Section = .labels) -> String {
    "library/\(section.rawValue)/\(file(name)).html"
  }

  /// Returns the readable part of a name and a fingerprint that makes it unique.
  static func file(_ given: String) -> String {
    let name = NormalForms.shared.composed(given)
    var slug = ""
    for byte in name.lowercased().utf8 where slug.utf8.count < 40 {
      let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
      if isPlain {
        slug.unicodeScalars.append(Unicode.Scalar(byte))
      } else if !slug.isEmpty, slug.last != "-" {
        slug += "-"
      }
    }
    while slug.last == "-" { slug.removeLast() }
    let digits = Fingerprint.text(Fingerprint.of(name)).suffix(8)
    return slug.isEmpty ? String(digits) : "\(slug)-\(digits)"
  }
}
