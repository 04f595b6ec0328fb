/// The sanitiser's state about images.
struct ImageTracker {
  /// A `picture` element that is open.
  struct Picture {
    /// Of the first source that a browser would choose on a wide, light screen.
    var candidates: [SourceSet.Candidate] = []
    /// Candidates of later sources, for when the first is missing.
    var later: [SourceSet.Candidate] = []
    /// Those for other screens or in formats that few browsers show, for when there are no others.
    var unchosen: [SourceSet.Candidate] = []
    var hasImage = false
    /// Whether `candidates` are declared as AVIF.
    var isAVIF = false
  }

  /// The declared type of a source, in lower case; empty without one.
  static func type(_ source: HTMLAttributes) -> String {
    String((source["type"] ?? "").lowercased().prefix { $0 != ";" }.filter { $0 != " " })
  }

  /// A `video` or `audio` element that is open.
  struct Media {
    var name: String
    var source: String?
    var poster: String?
    var width: Int?
    var height: Int?
    /// Subtitles and the like: what they are called, and where they are.
    var tracks: [(label: String, address: String)] = []
  }

  /// The image written last.
  struct Written {
    var markup: ImageMarkup
    var range: Range<Int>
    /// Length of the plain text then; the same length later means that no words came between.
    var textCount: Int
    var isFromNoscript: Bool
  }

  var count = 0
  var firstAlt: String?
  var picture: Picture?
  var media: Media?
  /// How many `noscript` elements are open.
  var noscriptDepth = 0
  /// An `object` that is an image, with the words inside it, which are its alternative text.
  var object: (markup: ImageMarkup, words: [UInt8])?
  var map: AreaMap?
  var maps: Set<String> = []
  /// The address of the `object` that is open, which an `embed` inside usually has too.
  var embedded: String?
  var last: Written?

  /// Whether the content is a fallback of something that is shown itself.
  var standsIn: Bool { media != nil || object != nil }
}
