/// One bookmark of the demo as its author wrote it.
struct DemoArticle: Sendable {
  enum Kind: String, Sendable {
    case article, photo, video
  }

  /// Highlights are found by their text, which must occur unbroken in the HTML.
  struct Highlight: Sendable {
    let text: String
    var color = "yellow"
    var note = ""
  }

  var url: String
  var title: String
  var siteName: String
  var authors: [String] = []
  var language = "en"
  var isRightToLeft = false
  /// The day it was published, `2026-11-04`; empty when the page does not say.
  var published = ""
  /// When it was saved: ascending dates are the order of the list.
  var saved: String
  var labels: [String] = []
  var isFavourite = false
  var isArchived = false
  var readProgress = 0
  var summary = ""
  /// Name of a picture in the album.
  var cover: String?
  var kind = Kind.article
  /// The player of a video.
  var embed = ""
  var embedDomain = ""
  var errors: [String] = []
  var highlights: [Highlight] = []
  /// A fragment as Readeck delivers it; `nil` when nothing could be read.
  var html: String?

  /// Names of the album's pictures that the text shows.
  var pictures: [String] {
    guard let html else { return [] }
    return Album.pictures.keys.filter { html.contains(resourceName($0)) }.sorted()
  }

  var wordCount: Int {
    guard let html else { return 0 }
    var isInTag = false
    var words = 0
    var wasLetter = false
    for character in html {
      if character == "<" { isInTag = true }
      if character == ">" { isInTag = false }
      let isIdeograph = character.unicodeScalars.first.map { $0.value >= 0x3040 } ?? false
      let isLetter = !isInTag && (character.isLetter || character.isNumber)
      if isLetter && (isIdeograph || !wasLetter) { words += 1 }
      wasLetter = isLetter && !isIdeograph
    }
    return words
  }
}

/// The file name a picture has on the server: 22 characters of base 58, made from its own name.
func resourceName(_ picture: String) -> String {
  "\(base58(picture)).\(Album.pictures[picture]?.fileExtension ?? "png")"
}

/// Twenty-two characters of base 58 that always come out the same for a text.
func base58(_ text: String) -> String {
  let seed = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
    ($0 ^ UInt64($1)) &* 0x100_0000_01B3
  }
  var random = Seeded(seed)
  let digits = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
  return String(decoding: (0..<22).map { _ in random.pick(digits) }, as: UTF8.self)
}

/// A figure as Readeck writes it; `alt` and the caption are HTML already.
func figure(_ picture: String, _ alt: String, _ caption: String = "") -> String {
  let size = Album.pictures[picture]?.pixels(.full) ?? Picture.Size.full.pixels
  let image = """
    <img loading="lazy" src="./_resources/\(resourceName(picture))" alt="\(alt)" \
    width="\(size.width)" height="\(size.height)"/>
    """
  return caption.isEmpty
    ? "<figure>\(image)</figure>"
    : "<figure>\(image)<figcaption>\(caption)</figcaption></figure>"
}

/// A link as Readeck leaves it.
func link(_ address: String, _ text: String) -> String {
  "<a href=\"\(address)\" rel=\"nofollow noopener noreferrer\">\(text)</a>"
}
