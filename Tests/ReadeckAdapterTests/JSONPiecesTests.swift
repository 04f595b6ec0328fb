import ArchiverCore
import Testing

@testable import ReadeckAdapter

/// Long lists are decoded a piece at a time, with the result of decoding them whole.
@Suite struct JSONPiecesTests {
  private struct Entry: Decodable, Sendable, Hashable {
    let id: String
    let tags: [String]?
  }

  private func whole(_ json: String) -> (elements: [Entry], faults: [String])? {
    // That it cannot be read is what is compared.
    let list = try? JSONDecoder().decode(LenientArray<Entry>.self, from: Data(json.utf8))
    return list.map { ($0.elements, $0.faults) }
  }

  private func expectSame(_ json: String) {
    let (one, two) = (whole(json), try? LenientArray<Entry>(json: Array(json.utf8)))
    let isSame = one?.elements == two?.elements && one?.faults == two?.faults
    #expect(isSame, "\(json.prefix(80))")
  }

  @Test(arguments: [false, true])
  func `a list in pieces has the elements and the faults of the whole`(isFaulty: Bool) throws {
    var entries: [String] = []
    for number in 0..<9_000 {
      switch number % 7 {
      case 0: entries.append(#"{"id":"a\"],[\\\#(number)","tags":["x","]},{[",  "ü, \\"]}"#)
      case 1: entries.append(#" { "id" : "\#(number)" , "tags" : [] } "#)
      case 2 where isFaulty && number % 5 == 0: entries.append(#"{"id":\#(number)}"#)
      case 3 where isFaulty && number % 11 == 0: entries.append("null")
      default: entries.append(#"{"id":"\#(number)"}"#)
      }
    }
    let json = "\n [" + entries.joined(separator: ",\n") + " ]\r\n"
    #expect(try JSONPieces.ranges(Array(json.utf8)).count > 3)
    expectSame(json)
    let list = try LenientArray<Entry>(json: Array(json.utf8))
    #expect(list.elements.count + list.faults.count == 9_000)
    #expect(list.faults.isEmpty == !isFaulty)
    let pieces = try JSONPieces.ranges(Array(json.utf8)).map { range in
      try JSONDecoder().decode(
        LenientArray<Entry>.self, from: Data("[".utf8) + Data(json.utf8)[range] + Data("]".utf8))
    }
    #expect(pieces.reduce(0) { $0 + $1.elements.count } == list.elements.count)
  }

  @Test func `what is no list fails as the whole does`() {
    let long = String(repeating: #"{"id":"0123456789"},"#, count: 9_000)
    for json in [
      "", " ", "[", "]", "[]", " [ ] ", "{}", "[}", "[1,2", "[1,,2]", "[1,]", "[] []", "[]x",
      "\"a\"",
      "[\"a]", "[{]}", "[\(long)]", "[\(long)1", "[\(long){\"id\":\"a\"}]]",
      "[\(long){\"id\":\"a\"]",
      "[\(long){\"id\":\"a\"}", "[\(long)null] ",
    ] {
      expectSame(json)
    }
  }
}
