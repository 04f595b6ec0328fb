import ArchiverCore

/// A picture of the demo: drawn when asked for, always the same bytes.
struct Picture: Sendable {
  enum Kind: Sendable {
    case gif(@Sendable (inout Canvas) -> Void)
    case png(@Sendable (inout Canvas) -> Void)
    case svg(String, width: Int, height: Int)
  }

  /// Widths the server offers: in the article, as its cover, in the list.
  enum Size: Sendable {
    case full, cover, thumbnail

    var pixels: (width: Int, height: Int) {
      switch self {
      case .full: (1200, 675)
      case .cover: (800, 450)
      case .thumbnail: (380, 214)
      }
    }
  }

  let kind: Kind

  var fileExtension: String {
    switch kind {
    case .gif: "gif"
    case .png: "png"
    case .svg: "svg"
    }
  }

  var mediaType: String {
    switch kind {
    case .gif: "image/gif"
    case .png: "image/png"
    case .svg: "image/svg+xml"
    }
  }

  func pixels(_ size: Size) -> (width: Int, height: Int) {
    if case .svg(_, let width, let height) = kind { return (width, height) }
    return size.pixels
  }

  /// Draws and encodes the picture.
  func data(_ size: Size) -> Data {
    let (width, height) = size.pixels
    var canvas = Canvas(width: width, height: height)
    switch kind {
    case .gif(let paint):
      paint(&canvas)
      return Data(GIFEncoder.encode(IndexedImage(canvas)))
    case .png(let paint):
      paint(&canvas)
      return Data(PNGEncoder.encode(IndexedImage(canvas)))
    case .svg(let text, _, _):
      return Data(text.utf8)
    }
  }
}
