/// A text in the normal form of search (composed compatibility form), with a mapping to the
/// original.
///
/// Only letters, digits and marks change; a sign such as `™` is kept, and ends a word. `tokens.js`
/// does the same.
struct NormalText {
  let text: String
  /// The range of each changed part in `text` and in the original, in order, in UTF-8 bytes.
  /// Between them both are identical.
  private var changes: [(range: Range<Int>, source: Range<Int>)] = []

  init(_ text: String) {
    guard !NormalForms.shared.isSettled(text) else {
      self.text = text
      return
    }
    var view = String.UnicodeScalarView()
    var place = 0
    var start = 0
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      let segment = rest.prefix(NormalText.length(of: rest, first))
      rest = rest[segment.endIndex...]
      let width = segment.reduce(0) { $0 + UTF8.width($1) }
      var size = width
      if CharacterClass.isOfWord(first), !segment.allSatisfy(NormalForms.shared.isSettled) {
        let normal = NormalForms.shared.compatible(segment)
        size = normal.reduce(0) { $0 + UTF8.width($1) }
        if !normal.elementsEqual(segment) {
          changes.append((place..<place + size, start..<start + width))
        }
        view.append(contentsOf: normal)
      } else {
        view.append(contentsOf: segment)
      }
      place += size
      start += width
    }
    self.text = String(view)
  }

  /// Returns the text in the normal form.
  static func of(_ text: String) -> String {
    NormalForms.shared.isSettled(text) ? text : NormalText(text).text
  }

  /// Returns the length of the segment at the start of a text that can be normalised on its own.
  private static func length(
    of rest: Substring.UnicodeScalarView, _ first: Unicode.Scalar
  ) -> Int {
    guard CharacterClass.isOfWord(first) else { return 1 }
    return 1 + rest.dropFirst().prefix(while: isContinuing).count
  }

  /// Whether a character may combine with the one before it: marks, and letters of Hangul and
  /// halfwidth Kana.
  private static func isContinuing(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x300: return false
    case 0x1160...0x11FF, 0x3131...0x318E, 0xFF9E...0xFFDC: return true
    default:
      switch scalar.properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark: return true
      default: return false
      }
    }
  }

  /// Maps a range of `text` to the corresponding range of the original, in UTF-8 bytes.
  func source(_ range: Range<Int>) -> Range<Int> {
    guard !changes.isEmpty else { return range }
    return source(range.lowerBound, isEnd: false)..<source(range.upperBound, isEnd: true)
  }

  private func source(_ place: Int, isEnd: Bool) -> Int {
    // The last change that begins before an end, or not after a beginning.
    let end = changes.partitionPoint { $0.range.lowerBound < (isEnd ? place : place + 1) }
    guard end > 0 else { return place }
    let change = changes[end - 1]
    if place >= change.range.upperBound {
      return place - change.range.upperBound + change.source.upperBound
    }
    return isEnd ? change.source.upperBound : change.source.lowerBound
  }
}
