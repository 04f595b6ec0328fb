import ArchiverCore
import Testing

@testable import ReadeckAdapter

/// Long lists are decoded in chunks as they arrive, with the same result as decoding them
/// completely.
@Suite struct JSONPiecesTests {
  private struct Entry: Decodable, Sendable, Hashable {
    let id: String
    let tags: [String]?
  }

  private struct Outcome: Hashable {
    var elements: [Entry] = []
    var faults: [String] = []
    /// The fault in the text.
    var failure: String?
  }

  private func whole(_ json: [UInt8]) -> Outcome {
    do {
      let list = try JSONDecoder().decode(LenientArray<Entry>.self, from: Data(json))
      return Outcome(elements: list.elements, faults: list.faults)
    } catch {
      return Outcome(failure: error.sentence)
    }
  }

  private func inPieces(_ json: [UInt8], of size: Int, step: Int) -> Outcome {
    var reader = ElementReader<Entry>(pieceSize: size)
    var outcome = Outcome()
    do {
      try json.withUnsafeBytes { json in
        for start in stride(from: 0, to: json.count, by: step) {
          outcome.elements += try reader.take(
            UnsafeRawBufferPointer(rebasing: json[start...].prefix(step)))
        }
      }
      outcome.elements += try reader.finish()
      outcome.faults = reader.faults
      return outcome
    } catch {
      return Outcome(failure: error.sentence)
    }
  }

  private func expectSame(_ json: [UInt8]) {
    let whole = whole(json)
    let start = String(decoding: json.prefix(80), as: UTF8.self)
    for (size, step) in [(1, 1), (1, 7), (20, 64), (64 << 10, 16 << 10), (64 << 10, 1 << 20)] {
      let isSame = inPieces(json, of: size, step: step) == whole
      #expect(isSame, "in pieces of \(size) by \(step): \(start)")
    }
  }

  private func list(_ count: Int, isFaulty: Bool) -> String {
    let entries = (0..<count).map { number in
      switch number % 7 {
      case 0: return #"{"id":"a\"],[\\\#(number)","tags":["x","]},{[",  "ü, \\"]}"#
      case 1: return #" { "id" : "\#(number)" , "tags" : [] } "#
      case 2 where isFaulty && number % 5 == 0: return #"{"id":\#(number)}"#
      case 3 where isFaulty && number % 11 == 0: return "null"
      case 4 where isFaulty && number % 13 == 0: return #"{"id":"a","tags":["b",1]}"#
      default: return #"{"id":"\#(number)"}"#
      }
    }
    return "\n [" + entries.joined(separator: ",\n") + " ]\r\n"
  }

  @Test(arguments: [false, true])
  func `a list in pieces has the elements and the faults of the whole`(isFaulty: Bool) {
    let json = Array(list(3_000, isFaulty: isFaulty).utf8)
    expectSame(json)
    let list = whole(json)
    #expect(list.elements.count + list.faults.count == 3_000)
    #expect(list.faults.isEmpty == !isFaulty)
    #expect(!isFaulty || list.faults.contains("element 1859: [1859].tags[1] is not of type String"))
  }

  @Test func `pieces are arrays of about the size requested`() throws {
    let json = Array(list(3_000, isFaulty: false).utf8)
    var pieces = JSONPieces(size: 1_000)
    var all = json.withUnsafeBytes { pieces.take($0) }
    all.append(pieces.finish())
    #expect(all.count > json.count / 1_200)
    let isEachAnArray = try all.allSatisfy { piece in
      let list = try JSONDecoder().decode(LenientArray<Entry>.self, from: piece)
      return piece.count < 1_200 && !list.elements.isEmpty
    }
    #expect(isEachAnArray)
    var least = JSONPieces(size: 1)
    let first = Array("[{},[],7]".utf8).withUnsafeBytes { least.take($0) }
    #expect(
      (first + [least.finish()]).map { String(decoding: $0, as: UTF8.self) } == [
        "[{}]", "[[]]", "[7]",
      ])
  }

  @Test func `a response that is not a list fails like in one piece`() {
    let long = String(repeating: #"{"id":"0123456789"},"#, count: 9)
    for json in [
      "", " ", "[", "]", "[]", " [ ] ", "{}", "[}", "[1,2", "[1,,2]", "[1,]", "[1 , ]", "[,]",
      "[,1]",
      "[] []", "[]x", "\"a\"", "null", "[1]]", "[1],", ",[1]", "[[1],[2", "{\"a\":[1,2]}",
      "{\"a\":1,\"b\":2}", "[1][2,3]", "x[1,2]", "1,[2,3]", "1[2,3]", "[1,2]\n[3,4]", "][1,2]",
      "}[[1,2]]",
      "\u{FEFF}[1,2]",
      "[\"a]", "[{]}", "[{\"id\":\"a\"],{\"id\":\"b\"}]", "[\"a\u{0}\",2]", "[1,\u{0}2]",
      "[1,2]\u{0}",
      "[\(long)]", "[\(long) ] ", "[\(long)1", "[\(long){\"id\":\"a\"}]]", "[\(long){\"id\":\"a\"]",
      "[\(long){\"id\":\"a\"}", "[\(long)null] ", "[\(long),{\"id\":\"a\"}]", "[\(long)1]{",
      "[\(long)1}",
    ] {
      expectSame(Array(json.utf8))
    }
    expectSame([UInt8(ascii: "["), 0x22, 0xFF, 0x22, UInt8(ascii: ","), UInt8(ascii: "]")])
  }

  @Test func `reads other encodings as the whole`() {
    for text in [#"[{"id":"ü"},{"id":"[,"},{"id":7}]"#, #"{"id":"a"}"#] {
      for mark in ["", "\u{FEFF}"] {
        let units = Array((mark + text).utf16)
        expectSame(units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
        expectSame(units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
      }
    }
    let little = Array(#"[{"id":"a"},{"id":"b"}]"#.utf8).flatMap { [$0, 0] as [UInt8] }
    #expect(whole(little).elements.map(\.id) == ["a", "b"])
  }
}
