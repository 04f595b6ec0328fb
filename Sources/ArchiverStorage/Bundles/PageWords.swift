/// Hashes of the words of pages, to compare their texts.
enum PageWords {
  /// Returns hashes of the words of HTML, without tags. Characters from U+0800 on, as in scripts
  /// without word spaces, are hashed as pairs of neighbours.
  static func hashes(_ html: some Collection<UInt8>) -> Set<UInt64> {
    var words: Set<UInt64> = []
    var word: FNV?
    // The bytes of the last character of three or more bytes; 0 after any other.
    var wide: UInt64 = 0
    var isInTag = false
    for byte in html {
      if byte == UInt8(ascii: "<") { isInTag = true }
      let isInText = !isInTag && isPartOfWord(byte)
      let continues = byte & 0xC0 == 0x80
      if !isInText || byte >= 0xE0 || (wide != 0 && !continues) {
        if let word { words.insert(word.value) }
        word = nil
      }
      if byte == UInt8(ascii: ">") { isInTag = false }
      guard isInText else {
        wide = 0
        continue
      }
      if byte >= 0xE0 {
        word = FNV(from: FNV().value ^ wide)
        wide = UInt64(byte)
      } else {
        wide = continues && wide != 0 ? wide << 8 | UInt64(byte) : 0
      }
      if word == nil { word = FNV() }
      word?.add(byte)
    }
    if let word { words.insert(word.value) }
    return words
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
