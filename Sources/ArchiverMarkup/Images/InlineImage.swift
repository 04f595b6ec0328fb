import ArchiverCore

/// Images written into the page itself as `data:` addresses (RFC 2397).
package enum InlineImage {
  private static let types: Set<String> = [
    "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml",
    "image/bmp", "image/x-icon", "image/vnd.microsoft.icon",
  ]

  /// Returns the address without white space, its head in lower case and with the type that its bytes
  /// have; `nil` when it is no image.
  package static func canonical(_ raw: String) -> String? {
    var text = raw[...]
    text = text.drop { $0.isWhitespace }
    guard text.prefix(5).lowercased() == "data:", let comma = text.utf8.firstIndex(of: 0x2C)
    else { return nil }
    // A control character would be written as white space.
    let scalars = text[..<comma].lowercased().unicodeScalars.filter {
      !$0.properties.isWhitespace && $0.properties.generalCategory != .control
    }
    var head = String(String.UnicodeScalarView(scalars))
    // A base64 body has no white space of meaning, a percent-encoded one keeps its spaces.
    let keepsSpaces = !head.hasSuffix(";base64")
    let body = text[comma...].utf8.compactMap { byte -> UInt8? in
      if byte == 0x20, keepsSpaces { return byte }
      return byte > 0x20 && byte != 0x7F ? byte : nil
    }
    let declared = mediaType(of: head)
    guard let type = actualType(declared, body.dropFirst(), isBase64: !keepsSpaces) else {
      return nil
    }
    head = "data:" + type + head.dropFirst(5 + declared.count)
    let result = head + String(decoding: body, as: UTF8.self)
    return keepsSpaces ? result.replacingSpaces() : result
  }

  /// Decodes a `data:` image; `nil` if it is not an image or its encoding is broken.
  package static func decode(_ address: String) -> (mediaType: String, bytes: [UInt8])? {
    guard address.hasPrefix("data:"), let comma = address.utf8.firstIndex(of: 0x2C) else {
      return nil
    }
    let head = String(address[..<comma])
    let type = mediaType(of: head)
    guard types.contains(type) else { return nil }
    let body = String(address[address.utf8.index(after: comma)...])
    if head.hasSuffix(";base64") {
      guard let data = Data(base64Encoded: padded(PercentEncoding.decoded(body))), !data.isEmpty
      else { return nil }
      return (type, [UInt8](data))
    }
    let bytes = PercentEncoding.decodedBytes(body)
    return bytes.isEmpty ? nil : (type, bytes)
  }

  /// Whether it is so small that it can only hold the place of an image loaded later.
  static func isPlaceholder(_ address: String) -> Bool {
    guard address.hasPrefix("data:") else { return false }
    let size = address.utf8.count
    return size < 200 || (address.hasPrefix("data:image/svg") && size < 1_000)
  }

  /// Returns the type that the first bytes tell, else the declared one where browsers show it.
  private static func actualType(
    _ declared: String, _ body: ArraySlice<UInt8>, isBase64: Bool
  ) -> String? {
    let start = String(decoding: body.prefix(64), as: UTF8.self)
    let bytes =
      isBase64
      ? Data(base64Encoded: padded(String(PercentEncoding.decoded(start).prefix(48)))).map {
        [UInt8]($0)
      } ?? [] : PercentEncoding.decodedBytes(start)
    // Drawings are text, which may look like one.
    if let found = ImageFormat(prefix: bytes), found != .svg, types.contains(found.mediaType) {
      return found.mediaType
    }
    if types.contains(declared) { return declared }
    return declared.hasPrefix("image/svg") ? "image/svg+xml" : nil
  }

  private static func mediaType(of head: String) -> String {
    String(head.dropFirst(5).prefix { $0 != ";" && $0 != "," })
  }

  private static func padded(_ text: String) -> String {
    let bare = text.utf8.filter { $0 > 0x20 && $0 != 0x3D }.map { byte -> UInt8 in
      byte == 0x2D ? 0x2B : byte == 0x5F ? 0x2F : byte
    }
    let padding = [UInt8](repeating: 0x3D, count: (4 - bare.count % 4) % 4)
    return String(decoding: bare + padding, as: UTF8.self)
  }
}

extension String {
  fileprivate func replacingSpaces() -> String {
    utf8.contains(0x20)
      ? split(separator: " ", omittingEmptySubsequences: false)
        .joined(separator: "%20") : self
  }
}
