/// What the sanitiser has to remember about images while the document goes by.
struct ImageTracker {
  /// A `picture` element that is open.
  struct Picture {
    var candidates: [SourceSet.Candidate] = []
    var hasImage = false
  }

  /// A `video` or `audio` element that is open.
  struct Media {
    var name: String
    var source: String?
    var poster: String?
    var width: Int?
    var height: Int?
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
  /// Images in an open `noscript` element.
  var noscript: [ImageMarkup]?
  var last: Written?

  /// Whether text here is a stand-in that is never shown.
  var swallowsText: Bool { noscript != nil || media != nil }
}
