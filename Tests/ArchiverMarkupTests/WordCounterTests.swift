import ArchiverMarkup
import Testing

struct WordCounterTests {
  @Test(arguments: [
    ("", 0), ("  \n\t", 0), ("one", 1), (" one  two\nthree ", 3), ("don't well-known", 2),
    ("— “quoted” …", 1), ("a,b", 1), ("3.14 + 2", 2), ("naïve Straße", 2), ("漢字かな", 4),
    ("the 漢字 text", 4), ("한국", 2), ("a\u{2028}b\u{A0}c", 3), ("\u{1F600} smile", 1),
    ("½ ٣", 2), ("a\u{301}b", 1), ("x\u{0}y", 2), ("x\u{7F}y", 1),
  ])
  func `words are counted`(text: String, count: Int) {
    #expect(WordCounter.count(text) == count)
  }

  @Test func `texts of any characters have the number of words by definition`() {
    var generator = SeededGenerator(state: 20_261_128)
    let special = Array(
      " \n\t'-.—“”…0aZéßñ漢かア한\u{A0}\u{2028}\u{3000}\u{200B}\u{301}½٣\u{1F600}".unicodeScalars)
    for _ in 0..<2_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...40, using: &generator) {
        let scalar =
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: Unicode.Scalar(UInt32.random(in: 0...0x2_FFFF, using: &generator))
          case 1: Unicode.Scalar(UInt32.random(in: 0...0x7F, using: &generator))
          default: special.randomElement(using: &generator)
          }
        text.append(scalar ?? " ")
      }
      let string = String(text)
      #expect(WordCounter.count(string) == WordCounterTests.definition(string), "\(Array(text))")
    }
  }

  /// A letter or digit begins a word unless one is open; white space and dense scripts end it.
  private static func definition(_ text: String) -> Int {
    var count = 0
    var isOpen = false
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      switch scalar.value {
      case 0...0x20: isOpen = false
      case 0x3041...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0x20000...0x3134F:
        count += 1
        isOpen = false
      case _ where properties.isWhitespace: isOpen = false
      case _ where properties.isAlphabetic || properties.numericType != nil:
        if !isOpen { count += 1 }
        isOpen = true
      default: break
      }
    }
    return count
  }
}
