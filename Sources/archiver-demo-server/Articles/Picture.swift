import ArchiverCore

/// A picture of the demo. Its files are in `Pictures`: `NAME.png` or another type, and for the cover of
/// an article `NAME-cover.png` and `NAME-thumbnail.png`.
struct Picture: Sendable {
  /// The sizes that the server offers: in the article, as its cover, in the list.
  enum Size: Sendable {
    case full, cover, thumbnail

    var pixels: (width: Int, height: Int) {
      switch self {
      case .full: (1200, 675)
      case .cover: (800, 450)
      case .thumbnail: (380, 214)
      }
    }

    fileprivate var suffix: String {
      switch self {
      case .full: ""
      case .cover: "-cover"
      case .thumbnail: "-thumbnail"
      }
    }
  }

  let name: String
  let fileExtension: String

  var mediaType: String { fileExtension == "svg" ? "image/svg+xml" : "image/\(fileExtension)" }

  func pixels(_ size: Size) -> (width: Int, height: Int) {
    switch name {
    case "forces": (800, 360)
    case "rainfall": (800, 400)
    default: size.pixels
    }
  }

  /// Reads a file of the picture.
  func data(_ size: Size) throws -> Data {
    let path = "\(Album.folder)/\(name)\(size.suffix).\(fileExtension)"
    return try Data(contentsOf: URL(filePath: path))
  }
}

/// Every picture by the name that the articles use.
enum Album {
  /// The demo runs where its sources are.
  static let folder =
    "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Pictures"

  static let pictures: [String: Picture] = {
    // `Main` refuses to start without pictures.
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var pictures: [String: Picture] = [:]
    for file in files {
      let parts = file.split(separator: ".").map(String.init)
      guard parts.count == 2 else { continue }
      // Some pictures are covers only.
      let suffix = [Picture.Size.cover, .thumbnail].map(\.suffix).first { parts[0].hasSuffix($0) }
      let name = String(parts[0].dropLast(suffix?.count ?? 0))
      pictures[name] = Picture(name: name, fileExtension: parts[1])
    }
    return pictures
  }()
}
