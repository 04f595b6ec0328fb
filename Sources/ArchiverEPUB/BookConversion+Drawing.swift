import ArchiverCore
import ArchiverMarkup

// SVG images in files of their own. Browsers load nothing else for them, so that images they refer to are
// written into them.
extension BookConversion {
  /// The maximum size in bytes of all images in one drawing.
  private static let mostImageBytes = 16 << 20

  /// Writes a drawing; returns false if it cannot be sanitised.
  func writeDrawing(_ asset: BookReferences.Asset) throws(EPUBError) -> Bool {
    var held = asset.bytes
    if held == nil { held = try archive.text(asset.entry) }
    var left = BookConversion.mostImageBytes
    let surroundings = SVGSanitizer.Surroundings(
      image: { self.image($0, from: asset.entry, &left) },
      leftOut: { self.references.lose(BookConversion.loss(of: $0)) })
    guard let bytes = held, let clean = SVGSanitizer.sanitize(bytes, in: surroundings) else {
      notes.append("The SVG image \(asset.entry) could not be sanitised.")
      return false
    }
    try sink.write(asset.output, clean)
    return true
  }

  /// Returns an image of the book as a `data:` URL; `nil` if the book lacks it, if browsers do not show
  /// it, or if it is larger than the rest of the budget.
  private func image(_ reference: String, from file: String, _ left: inout Int) -> String? {
    let name = String(reference.trimmed.prefix { $0 != "#" && $0 != "?" })
    guard BookReferences.scheme(reference.trimmed) == nil,
      let entry = references.entry(name, from: file), references.kind(of: entry) == .image
    else { return nil }
    var bytes: [UInt8] = []
    let most = left
    do throws(EPUBError) {
      try archive.stream(entry) { piece throws(EPUBError) in
        guard bytes.count + piece.count <= most else {
          throw EPUBError(.damaged, "the image \(entry) is too large for its drawing")
        }
        bytes += piece
      }
    } catch {
      notes.append(error.message + ".")
      return nil
    }
    left -= bytes.count
    // Its type is that of its bytes.
    let url = "data:image/png;base64," + Data(bytes).base64EncodedString()
    return InlineImage.canonical(url)
  }

  private static let moving: Set<String> = [
    "script", "set", "animate", "animateMotion", "animateTransform", "animateColor", "discard",
  ]

  private static func loss(of element: String) -> String {
    if element == "image" { return "images" }
    return moving.contains(element)
      ? "animations and scripts of SVG images" : "unknown parts of SVG images"
  }
}
