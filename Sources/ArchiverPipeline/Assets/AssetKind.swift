/// What a downloaded file is, decided by its first bytes.
enum AssetKind: Sendable {
  case image(ImageFormat)
  /// Needs sanitising before it may be kept.
  case svg
  case file(mediaType: String)
  /// Not what was asked for; says why.
  case refused(String)

  /// Bytes that are looked at.
  static let prefixLength = 1_024

  /// `prefix` is the first `prefixLength` bytes or all there are; `mediaType` is what the server said; empty when it said nothing.
  init(prefix: [UInt8], content: AssetRequest.Content, mediaType said: String) {
    let format = ImageFormat(prefix: prefix)
    switch (content, format) {
    case (_, .svg?): self = .svg
    case (_, let format?): self = .image(format)
    case (.image, nil):
      self = .refused(
        prefix.isEmpty
          ? "the server sent an empty file"
          : AssetKind.looksLikeHTML(prefix)
            ? "the server sent a web page in place of the picture"
            : "the server sent something that is no picture")
    case (.file(let expected), nil):
      if prefix.isEmpty {
        self = .refused("the server sent an empty file")
      } else if AssetKind.looksLikeHTML(prefix), expected?.hasPrefix("text/html") != true {
        self = .refused("the server sent a web page in place of the file")
      } else if let problem = expected.flatMap({ FileMagic.problem(prefix, mediaType: $0) }) {
        self = .refused(problem)
      } else {
        let type = expected ?? (said.isEmpty ? "application/octet-stream" : said)
        self = .file(mediaType: FileMagic.keptType(prefix, mediaType: type))
      }
    }
  }

  private static func looksLikeHTML(_ prefix: [UInt8]) -> Bool {
    let head = String(decoding: prefix.prefix(512), as: UTF8.self).lowercased()
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return head.hasPrefix("<!doctype html") || head.hasPrefix("<html") || head.contains("<head>")
  }
}
