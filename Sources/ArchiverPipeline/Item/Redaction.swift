import ArchiverCore

/// Removes from URLs what must not be stored: user and password, and query fields that are
/// signatures or credentials.
///
/// Works on any text that contains URLs, JSON escapes included, so that a source's record can be
/// stored otherwise unchanged.
enum Redaction {
  /// The names of query fields whose values are removed, in lower case.
  private static let fields: [[UInt8]] = [
    "x-amz-signature", "x-amz-credential", "x-amz-security-token", "x-goog-signature",
    "x-goog-credential", "signature", "sig", "token", "access_token", "auth_token", "api_key",
    "apikey",
  ].map { Array($0.utf8) }

  static func text(_ text: String) -> String {
    String(decoding: bytes(Array(text.utf8)), as: UTF8.self)
  }

  static func bytes(_ input: [UInt8]) -> [UInt8] {
    // Most input contains nothing to remove.
    guard input.contains(UInt8(ascii: "=")) || input.contains(UInt8(ascii: "@")) else {
      return input
    }
    var output: [UInt8] = []
    output.reserveCapacity(input.count)
    var index = 0
    while index < input.count {
      let byte = input[index]
      output.append(byte)
      index += 1
      if byte == UInt8(ascii: "/"), output.suffix(3).elementsEqual("://".utf8) {
        index = endOfUser(input, from: index)
      } else if byte == UInt8(ascii: "="), isSecret(output.dropLast()) {
        output += "removed".utf8
        index = endOfValue(input, from: index)
      }
    }
    return output
  }

  /// Redacts HTML in any notation: every tag, and the text of links, which often is their URL. Other text is the
  /// author's and stays.
  static func html(_ input: [UInt8]) -> [UInt8] {
    guard mayHoldAny(input) else { return input }
    var output: [UInt8] = []
    output.reserveCapacity(input.count)
    var rest = input[...]
    var isInLink = false
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      let words = rest[..<start]
      if isInLink { output += bytes(Array(words)) } else { output += words }
      let end = endOfTag(rest[start...])
      let tag = rest[start..<end]
      if isLink(tag.dropFirst()) { isInLink = true }
      if tag.dropFirst().first == UInt8(ascii: "/"), isLink(tag.dropFirst(2)) { isInLink = false }
      if mayHoldAny(tag) { output += bytes(Array(tag)) } else { output += tag }
      rest = rest[end...]
    }
    return output + (isInLink ? bytes(Array(rest)) : Array(rest))
  }

  /// Whether a tag, from its name on, is one of a link.
  private static func isLink(_ tag: ArraySlice<UInt8>) -> Bool {
    guard let name = tag.first, name | 0x20 == UInt8(ascii: "a") else { return false }
    return tag.dropFirst().first.map { $0 <= 0x20 || "/>".utf8.contains($0) } ?? true
  }

  /// Returns the end of a tag or comment, past its last byte. A `>` inside quotes does not end a tag; a `<` before
  /// anything else than a name is by itself.
  private static func endOfTag(_ tag: ArraySlice<UInt8>) -> Int {
    if tag.starts(with: "<!--".utf8) {
      let end = tag.indices.dropFirst(2).first { tag[$0...].starts(with: "-->".utf8) }
      return end.map { $0 + 3 } ?? tag.endIndex
    }
    guard let name = tag.dropFirst().first, "/!?".utf8.contains(name) || isLetter(name) else {
      return tag.startIndex + 1
    }
    var quote: UInt8?
    for index in tag.indices {
      let byte = tag[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
    }
    return tag.endIndex
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20)
  }

  /// Whether there may be anything to remove: a user precedes `@`, a query field follows one of the
  /// other characters.
  private static func mayHoldAny(_ input: some Collection<UInt8>) -> Bool {
    input.withContiguousStorageIfAvailable { bytes in
      "@?&;\\%".utf8.contains { bytes.index(of: $0, from: 0) != nil }
    } ?? true
  }

  /// Redacts a title if it is a URL, as that of a page without a title is.
  static func title(_ title: String) -> String {
    title.hasPrefix("http") ? text(title) : title
  }

  /// Returns the start of the host in an authority that starts at an index.
  private static func endOfUser(_ input: [UInt8], from start: Int) -> Int {
    var host = start
    for index in start..<min(input.count, start + 1_024) {
      if input[index] == UInt8(ascii: "@") { host = index + 1 }
      if ends(input[index], also: "/?#") { break }
    }
    return host
  }

  private static func endOfValue(_ input: [UInt8], from start: Int) -> Int {
    input[start...].firstIndex { ends($0, also: "&#;") } ?? input.count
  }

  private static func ends(_ byte: UInt8, also others: StaticString) -> Bool {
    if byte <= 0x20 || byte == 0x7F { return true }
    if "\"'<>\\`)".utf8.contains(byte) { return true }
    return others.withUTF8Buffer { $0.contains(byte) }
  }

  /// Whether the bytes end with the name of such a field, at the start of a query field.
  private static func isSecret(_ read: ArraySlice<UInt8>) -> Bool {
    let name = read.suffix(32).reversed().prefix {
      ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || $0 == 0x2D || $0 == 0x5F
    }
    let before = read.dropLast(name.count).last
    // In JSON written by Go an ampersand is \u0026, in HTML &amp; or &#38;.
    guard let before, "?&;6".utf8.contains(before) else { return false }
    let lower = name.reversed().map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
    return fields.contains(lower)
  }
}

extension SourceItem {
  /// Returns the item with redacted URLs. Body and attachments keep theirs until they are fetched.
  func redacted(_ secrets: AddressSecrets) -> SourceItem {
    var item = self
    item.reference.title = Redaction.title(reference.title)
    item.metadata.title = secrets.hidden(Redaction.title(metadata.title))
    item.metadata.url = metadata.url.map { secrets.hidden(Redaction.text($0)) }
    item.metadata.summary = metadata.summary.map(secrets.hidden)
    item.metadata.properties = metadata.properties.map {
      ItemProperty($0.name, secrets.hidden($0.value))
    }
    item.record = record.map { secrets.hidden(Redaction.bytes($0)) }
    item.notes = notes.map(secrets.hidden)
    return item
  }
}

extension RunSource {
  /// Returns a title for display and storage.
  func shown(_ title: String) -> String { secrets.hidden(Redaction.title(title)) }
}
