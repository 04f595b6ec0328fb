/// The position of a heading in the output, so that its level and id can be decided at the end.
struct HeadingRecord {
  var level: Int
  var id: String?
  var text: String
  /// The offsets of the level's digit in the start tag and the end tag.
  var startDigit: Int
  var endDigit: Int
}

// Final processing of headings.
extension ContentWriter {
  /// Gives headings their final levels and ids; call after `finish`.
  mutating func settleHeadings(demote: Bool) {
    if demote, headings.contains(where: { $0.level == 1 }) {
      for index in headings.indices {
        headings[index].level = min(headings[index].level + 1, 6)
        let digit = UInt8(0x30 + headings[index].level)
        output[headings[index].startDigit] = digit
        output[headings[index].endDigit] = digit
      }
    }
    insertMissingIDs()
  }

  mutating func insertMissingIDs() {
    guard headings.contains(where: { $0.id == nil }) else { return }
    var result = [UInt8]()
    result.reserveCapacity(output.count + headings.count * 24)
    var copied = 0
    for index in headings.indices where headings[index].id == nil {
      let id = freshID(headings[index].text)
      headings[index].id = id
      let position = headings[index].startDigit + 1
      result += output[copied..<position]
      result.appendAttribute("id", id)
      copied = position
    }
    result += output[copied...]
    output = result
  }

  mutating func freshID(_ text: String) -> String {
    let stem = SafeIdentifier.slug(text)
    var id = stem
    var number = slugCounts[stem] ?? 1
    while !usedIDs.insert(id).inserted {
      number += 1
      id = "\(stem)-\(number)"
    }
    slugCounts[stem] = number
    return id
  }
}
