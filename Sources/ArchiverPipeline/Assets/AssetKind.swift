/// The kind of a downloaded file, detected from its first bytes.
enum AssetKind: Sendable {
  case image(ImageFormat)
  /// Must be sanitised before it is stored.
  case svg
  case file(mediaType: String)
  /// Not of the requested kind, with the reason.
  case refused(String)

  /// The number of bytes examined.
  static let prefixLength = 1_024

  /// `prefix` is the first `prefixLength` bytes, or the whole file if shorter. `mediaType` is that
  /// of the response, or empty.
  init(prefix: [UInt8], content: AssetRequest.Content, mediaType said: String) {
    switch content {
    case .image: self = AssetKind(picture: prefix)
    case .file(let expected): self = AssetKind(file: prefix, expected: expected, said: said)
    }
  }

  private init(picture prefix: [UInt8]) {
    switch ImageFormat(prefix: prefix) {
    case .svg?: self = .svg
    case let format?: self = .image(format)
    case nil:
      self = .refused(
        prefix.isEmpty
          ? "the server sent an empty file"
          : AssetKind.beginsLikeHTML(prefix)
            ? "the server sent a web page instead of the image"
            : "the server sent something that is not an image")
    }
  }

  private init(file prefix: [UInt8], expected: String?, said: String) {
    if prefix.isEmpty {
      self = .refused("the server sent an empty file")
      return
    }
    let isPage = AssetKind.beginsLikeHTML(prefix)
    if isPage, expected?.hasPrefix("text/html") != true {
      self = .refused("the server sent a web page instead of the file")
      return
    }
    if let problem = expected.flatMap({ FileSignature.problem(prefix, mediaType: $0) }) {
      self = .refused(problem)
      return
    }
    switch ImageFormat(prefix: prefix) {
    case .svg?: self = .svg
    case let format?: self = .image(format)
    case nil:
      let type = expected ?? (said.isEmpty ? "application/octet-stream" : said)
      let known = FileSignature.type(prefix, declared: type)
      self = .file(mediaType: FileMagic.keptType(prefix, mediaType: known))
    }
  }

  /// Whether a file starts like an HTML page; only the start is conclusive.
  private static func beginsLikeHTML(_ prefix: [UInt8]) -> Bool {
    let head = String(decoding: prefix.prefix(512), as: UTF8.self).lowercased()
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    return ["<!doctype html", "<html", "<head", "<body", "<script", "<meta"].contains {
      head.hasPrefix($0)
    }
  }
}
