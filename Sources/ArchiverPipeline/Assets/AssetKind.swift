import ArchiverMarkup

/// The kind of a downloaded file, detected from its first bytes.
enum AssetKind: Sendable {
  case image(ImageFormat)
  /// Must be sanitised before it is stored.
  case svg
  case file(mediaType: String)
  /// Not of the requested kind, with the reason.
  case refused(String)
  /// Something else than the declared kind of book, and no message of a server: it is kept, but the book counts
  /// as missing.
  case unexpected(reason: String, mediaType: String)

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
      self =
        AssetKind.isMessage(prefix)
        ? .refused(problem)
        : .unexpected(reason: problem, mediaType: AssetKind.plainType(prefix, said: said))
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

  /// Whether a file starts like what servers send with an error: markup or JSON.
  private static func isMessage(_ prefix: [UInt8]) -> Bool {
    let first = prefix.first { ![0x09, 0x0A, 0x0D, 0x20, 0xEF, 0xBB, 0xBF].contains($0) }
    return first.map { Array("<{[".utf8).contains($0) } ?? true
  }

  /// A type that no browser runs: that of an image, text, or that of unknown data.
  private static func plainType(_ prefix: [UInt8], said: String) -> String {
    if let format = ImageFormat(prefix: prefix), format != .svg { return format.mediaType }
    return said == "text/plain" && !prefix.contains(0) ? said : "application/octet-stream"
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
