/// Extracts a missing image's own text from the placeholder that `ImageRewriter` writes.
///
/// The name is in an element with the role `img`. In older bundles it is at the start of the
/// placeholder, whose label is `NAME (REASON)`.
struct MissingImageText {
  static let className = "missing-image"
  /// The name of an image without a name.
  static let nameless = "Missing image"
  /// The name of an image without a name, in a format that not every browser supports.
  static let unshown = "Image"

  private let label: String?
  private var name: String?
  /// The text before any element.
  private var beginning: [UInt8] = []
  private var depth = 0
  private var hasElements = false

  /// Whether an element with these attributes is the placeholder of a missing image.
  static func isBegun(by attributes: HTMLAttributes) -> Bool { attributes["class"] == className }

  init(_ attributes: HTMLAttributes) {
    label = attributes["aria-label"]
  }

  mutating func start(_ attributes: HTMLAttributes) {
    depth += 1
    hasElements = true
    if attributes["role"] == "img" { name = attributes["aria-label"] }
  }

  mutating func write(_ piece: UnsafeBufferPointer<UInt8>) {
    if !hasElements { beginning.append(contentsOf: piece) }
  }

  /// Ends an element; returns the text at the end of the placeholder.
  mutating func end() -> String? {
    guard depth == 0 else {
      depth -= 1
      return nil
    }
    let words = name ?? earlierName
    return [MissingImageText.nameless, MissingImageText.unshown].contains(words) ? "" : words
  }

  /// The common prefix of label and beginning, without the space that follows.
  private var earlierName: String {
    let common = zip(beginning, (label ?? "").utf8).prefix { $0 == $1 }.map(\.0)
    return String(decoding: common.last == 0x20 ? common.dropLast() : common[...], as: UTF8.self)
  }
}
