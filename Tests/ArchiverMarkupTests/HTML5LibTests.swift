import ArchiverCore
import Testing

@testable import ArchiverMarkup

/// The published conformance data, where it is beside the project.
@Suite struct HTML5LibTests {
  private func files(_ folder: String, _ ending: String) -> [(name: String, bytes: [UInt8])] {
    guard let fixtures else {
      print("The conformance data of HTML is not beside the project")
      return []
    }
    let path = fixtures.path + "/html5lib/" + folder
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      print("The conformance data of HTML is not beside the project")
      return []
    }
    return names.filter { $0.hasSuffix(ending) }.sorted().compactMap { name in
      (try? fixture("html5lib/\(folder)/\(name)")).map { (name, $0) }
    }
  }

  @Test func `the tokenizer passes every case`() throws {
    for file in files("tokenizer", ".test") {
      let cases = try JSONDecoder().decode(TokenizerFile.self, from: Data(file.bytes)).tests ?? []
      for one in cases {
        for state in one.initialStates ?? ["Data state"] {
          let found = TokenLog.tokens(one.bytes(one.input), state, one.lastStartTag)
          #expect(found == one.expected, "\(file.name): \(one.description), \(state)")
        }
      }
    }
  }

  /// Browsers show the chosen option a second time in `selectedcontent`; a static page has it once.
  private static let intended = ["selectedcontent"]

  @Test func `tree construction passes every case without scripts`() throws {
    for file in files("tree-construction", ".dat") {
      for one in TreeCase.all(file.bytes) where !one.needsScripts {
        let data = text(one.data)
        if Self.intended.contains(where: data.contains) { continue }
        let tree = try HTMLParser.tree(of: one.data, in: one.context)
        let root = one.context == nil ? HTMLTree.document : tree[HTMLTree.document].lastChild
        #expect(
          text(HTMLTreeText.lines(tree, below: root)) == text(one.document + [0x0A]),
          "\(file.name): \(data)")
      }
    }
  }
}

/// One case of tree construction.
private struct TreeCase {
  var data: [UInt8] = []
  var document: [UInt8] = []
  var context: HTMLParser.Context?
  var needsScripts = false

  static func all(_ bytes: [UInt8]) -> [TreeCase] {
    var cases: [TreeCase] = []
    var section = ""
    var sections: [String: [ArraySlice<UInt8>]] = [:]
    func finish() {
      if sections["#data"] != nil { cases.append(TreeCase(sections)) }
      sections = [:]
    }
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let name = String(decoding: line, as: UTF8.self)
      if name == "#data" { finish() }
      if Self.names.contains(name) {
        section = name
        sections[name] = []
      } else {
        sections[section, default: []].append(line)
      }
    }
    finish()
    return cases
  }

  private static let names: Set<String> = [
    "#data", "#errors", "#new-errors", "#document", "#document-fragment", "#script-on",
    "#script-off",
  ]

  private init(_ sections: [String: [ArraySlice<UInt8>]]) {
    data = Array((sections["#data"] ?? []).joined(separator: [0x0A]))
    var lines = sections["#document"] ?? []
    while lines.last?.isEmpty == true { lines.removeLast() }
    document = Array(lines.joined(separator: [0x0A]))
    needsScripts = sections["#script-on"] != nil
    guard let line = sections["#document-fragment"]?.first else { return }
    let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
    if let name = words.last {
      let namespaces: [String: HTMLNamespace] = ["svg": .svg, "math": .mathML]
      context = HTMLParser.Context(
        name: name, namespace: words.count > 1 ? namespaces[words[0]] ?? .html : .html)
    }
  }
}

private struct TokenizerFile: Decodable {
  var tests: [TokenizerCase]?
}

/// One case of the tokenizer.
private struct TokenizerCase: Decodable {
  var description: String
  var input: String
  var output: [[Value]]
  var initialStates: [String]?
  var lastStartTag: String?
  var doubleEscaped: Bool?

  enum Value: Decodable {
    case null, bool(Bool), string(String), attributes([String: String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let bool = try? container.decode(Bool.self) {
        self = .bool(bool)
      } else if let string = try? container.decode(String.self) {
        self = .string(string)
      } else {
        self = .attributes(try container.decode([String: String].self))
      }
    }

    var string: String? {
      if case .string(let string) = self { string } else { nil }
    }

    var isTrue: Bool {
      if case .bool(true) = self { true } else { false }
    }

    var attributes: [String: String] {
      if case .attributes(let attributes) = self { attributes } else { [:] }
    }
  }

  /// The bytes of a string, in which a file may write characters as `\uXXXX` once more.
  func bytes(_ string: String) -> [UInt8] {
    guard doubleEscaped == true else { return Array(string.utf8) }
    var units: [UInt16] = []
    var rest = Array(string.utf16)[...]
    while let unit = rest.popFirst() {
      if unit == 0x5C, rest.first == 0x75,
        let code = UInt16(String(decoding: rest.dropFirst().prefix(4), as: UTF16.self), radix: 16)
      {
        units.append(code)
        rest = rest.dropFirst(5)
      } else {
        units.append(unit)
      }
    }
    return Self.bytes(units)
  }

  /// UTF-16 as UTF-8, a lone surrogate as three bytes.
  private static func bytes(_ units: [UInt16]) -> [UInt8] {
    var bytes: [UInt8] = []
    var index = 0
    while index < units.count {
      let unit = units[index]
      if UTF16.isLeadSurrogate(unit), index + 1 < units.count,
        UTF16.isTrailSurrogate(units[index + 1])
      {
        bytes += String(decoding: units[index...(index + 1)], as: UTF16.self).utf8
        index += 1
      } else if UTF16.isSurrogate(unit) {
        bytes += [0xED, UInt8(0x80 | (unit >> 6 & 0x3F)), UInt8(0x80 | (unit & 0x3F))]
      } else {
        bytes += String(decoding: [unit], as: UTF16.self).utf8
      }
      index += 1
    }
    return bytes
  }

  var expected: [TokenLog.Entry] {
    var log = TokenLog()
    for token in output {
      let words = token.map { $0.string.map(bytes) }
      switch token[0].string ?? "" {
      case "Character": log.add(text: words[1] ?? [])
      case "Comment": log.entries.append(.comment(words[1] ?? []))
      case "EndTag": log.entries.append(.endTag(words[1] ?? []))
      case "DOCTYPE": log.entries.append(.doctype(Array(words[1...3]), token[4].isTrue))
      default:
        var attributes: [[UInt8]: [UInt8]] = [:]
        for (name, value) in token[2].attributes { attributes[bytes(name)] = bytes(value) }
        log.entries.append(
          .startTag(words[1] ?? [], attributes, token.count > 3 && token[3].isTrue))
      }
    }
    return log.entries
  }
}

/// Tokens in a form that can be compared, adjacent text as one.
private struct TokenLog {
  enum Entry: Equatable {
    case text([UInt8])
    case comment([UInt8])
    case startTag([UInt8], [[UInt8]: [UInt8]], Bool)
    case endTag([UInt8])
    /// The name and the identifiers, and whether it asks for no quirks.
    case doctype([[UInt8]?], Bool)
  }

  var entries: [Entry] = []

  mutating func add(text: [UInt8]) {
    if case .text(let before) = entries.last {
      entries[entries.count - 1] = .text(before + text)
    } else {
      entries.append(.text(text))
    }
  }

  static func tokens(_ bytes: [UInt8], _ state: String, _ lastStartTag: String?) -> [Entry] {
    HTMLParser.withLineFeeds(bytes).withUnsafeBufferPointer { input in
      var tokenizer = HTMLTokenizer(input, names: HTMLNames.known)
      let states: [String: HTMLTokenizer.Content] = [
        "RCDATA state": .rcdata, "RAWTEXT state": .rawText, "Script data state": .script,
        "PLAINTEXT state": .plainText, "CDATA section state": .cdata,
      ]
      tokenizer.content = states[state] ?? .data
      if let lastStartTag {
        tokenizer.lastStartTag = tokenizer.names.id(Array(lastStartTag.utf8))
      }
      var log = TokenLog()
      while log.add(tokenizer.next(), tokenizer) {}
      return log.entries
    }
  }

  /// Adds a token; false at the end.
  private mutating func add(_ token: HTMLTokenizer.Token, _ tokenizer: borrowing HTMLTokenizer)
    -> Bool
  {
    let name = Array(tokenizer.names.string(tokenizer.name).utf8)
    let slice = Self.bytes(tokenizer.slice, tokenizer)
    switch token {
    case .end: return false
    case .nul: add(text: [0])
    case .text: add(text: slice ?? [])
    case .comment: entries.append(.comment(slice ?? []))
    case .endTag: entries.append(.endTag(name))
    case .startTag:
      var attributes: [[UInt8]: [UInt8]] = [:]
      for one in tokenizer.attributes {
        attributes[Array(tokenizer.names.string(one.name).utf8)] = Self.bytes(one.value, tokenizer)
      }
      entries.append(.startTag(name, attributes, tokenizer.isSelfClosing))
    case .doctype:
      let parts = [
        tokenizer.hasDoctypeName ? slice : nil,
        Self.bytes(tokenizer.publicIdentifier, tokenizer),
        Self.bytes(tokenizer.systemIdentifier, tokenizer),
      ]
      entries.append(.doctype(parts, !tokenizer.forcesQuirks))
    }
    return true
  }

  private static func bytes(
    _ slice: HTMLSlice?, _ tokenizer: borrowing HTMLTokenizer
  ) -> [UInt8]? {
    guard let slice else { return nil }
    var bytes: [UInt8] = []
    for index in slice.start..<(slice.start + slice.count) {
      bytes.append(
        index < tokenizer.count ? tokenizer.input[index] : tokenizer.side[index - tokenizer.count])
    }
    return bytes
  }
}
