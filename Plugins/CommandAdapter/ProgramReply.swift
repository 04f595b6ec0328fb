package import ArchiverCore

/// A line printed by a program.
package enum ProgramReply: Decodable, Sendable {
  case description(ProgramDescription)
  case ready
  case page(ListingPage)
  case done
  case item(ProgramItem)
  case log(LogLevel, String)
  case progress(count: Int, total: Int?)
  case error(AdapterError)
  /// A type unknown to this version; ignored.
  case unknown(String)

  private enum Key: String, CodingKey {
    case type, level, message, count, total, code, retryAfter
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let type = try container.decode(String.self, forKey: .type)
    switch type {
    case "description": self = .description(try ProgramDescription(from: decoder))
    case "ready": self = .ready
    case "page":
      self = .page(
        try ProgramPage(from: decoder).page(unknown: KnownKeys.page.unknown(in: decoder)))
    case "done": self = .done
    case "item": self = .item(try ProgramItem(from: decoder))
    case "log", "progress":
      do {
        self = try type == "log" ? ProgramReply.log(container) : ProgramReply.progress(container)
      } catch {
        self = .log(.warning, "an invalid \(type) message: \(ProgramReply.words(error))")
      }
    case "error": self = .error(try ProgramReply.error(container))
    default: self = .unknown(type)
    }
  }

  private static func log(_ container: KeyedDecodingContainer<Key>) throws -> ProgramReply {
    let word = try container.decodeIfPresent(String.self, forKey: .level) ?? "info"
    let level = LogLevel.allCases.first { "\($0)" == word } ?? .info
    return .log(level, try container.decode(String.self, forKey: .message))
  }

  private static func progress(_ container: KeyedDecodingContainer<Key>) throws -> ProgramReply {
    .progress(
      count: try container.decode(Int.self, forKey: .count),
      total: try container.decodeIfPresent(Int.self, forKey: .total))
  }

  /// Parses the reply in a line. Calls `remark` with a sentence about each ignored part.
  ///
  /// Returns an item that has an invalid member as `.error`, because the program can be asked for
  /// the next one. Throws `.malformed` with the invalid member of any other reply.
  package static func read(
    _ line: [UInt8], of program: SourceProgram, remark: ([String]) -> Void = { _ in }
  ) throws(AdapterError) -> ProgramReply {
    do {
      let line = try ForeignJSON.decode(ProgramLine.self, from: Data(line))
      if !line.remarks.isEmpty { remark(line.remarks) }
      return line.reply
    } catch {
      let failure = AdapterError(
        .malformed, "\(program.name) printed an invalid line: \(words(error, line))",
        underlying: error)
      guard isItem(line) else { throw failure }
      return .error(failure)
    }
  }

  /// Whether a line is a JSON object of type `item`.
  private static func isItem(_ line: [UInt8]) -> Bool {
    struct Head: Decodable { let type: String }
    // The caller reports any other line.
    return (try? ForeignJSON.decode(Head.self, from: Data(line)))?.type == "item"
  }

  /// An unknown code counts as `malformed`; `cancelled` is reserved for archiver.
  private static func error(_ container: KeyedDecodingContainer<Key>) throws -> AdapterError {
    let word = try container.decode(String.self, forKey: .code)
    let code = AdapterError.Code(rawValue: word) ?? .malformed
    let seconds = try container.decodeIfPresent(Double.self, forKey: .retryAfter)
    return AdapterError(
      code == .cancelled ? .unavailable : code,
      try container.decode(String.self, forKey: .message),
      retryAfter: seconds.map { .seconds(min(max($0, 0), 30 * 86400)) })
  }

  /// Describes an invalid line, or an invalid part of one. The start of a line that is not JSON is
  /// quoted: most often it was printed by mistake.
  fileprivate static func words(_ error: any Error, _ line: [UInt8]? = nil) -> String {
    func place(_ path: [any CodingKey]) -> String {
      let path = path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
      return path.isEmpty ? "the reply" : path
    }
    switch error as? DecodingError {
    case .keyNotFound(let key, let context):
      return "\(place(context.codingPath + [key])) is missing"
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      return "\(place(context.codingPath)) is not \(name(of: type))"
    case .dataCorrupted(let context):
      if let line, (try? ForeignJSON.decode([String: JSONValue].self, from: Data(line))) == nil {
        return "a line that is not a JSON object: '\(start(of: line))'"
      }
      return "\(place(context.codingPath)): \(reason(context.debugDescription))"
    default: return "\(error)"
    }
  }

  private static func name(of type: Any.Type) -> String {
    switch type {
    case is String.Type: "a string"
    case is Bool.Type: "true or false"
    case is Int.Type: "a whole number"
    case is Double.Type: "a number"
    case is any Collection.Type where !(type is any ExpressibleByDictionaryLiteral.Type): "an array"
    default: "an object"
    }
  }

  /// Returns Foundation's reasons for numbers that do not fit, without the names of types.
  private static func reason(_ description: String) -> String {
    // Foundation reports JSON as invalid if a number does not fit its type.
    if description.contains("number") || description.contains("not valid JSON") {
      return "a number is not whole, or is too large"
    }
    return description
  }
}

/// A reply with sentences about its ignored parts.
private struct ProgramLine: Decodable {
  let reply: ProgramReply
  let remarks: [String]

  private enum Key: String, CodingKey { case type }

  init(from decoder: any Decoder) throws {
    reply = try ProgramReply(from: decoder)
    let type = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .type)
    var remarks = KnownKeys.replies[type]?.remarks(on: decoder) ?? []
    if case .item(let item) = reply { remarks += item.remarks }
    self.remarks = remarks
  }
}

/// Returns the start of a line without control characters.
private func start(of line: [UInt8]) -> String {
  let scalars = String(decoding: line.prefix(240), as: UTF8.self).unicodeScalars
    .map { $0.properties.generalCategory == .control ? " " : Character($0) }
  return scalars.count > 60 ? String(scalars.prefix(60)) + "…" : String(scalars)
}

/// A page of a listing as printed.
///
/// Invalid references and ids are gaps, so that they do not hide the others.
private struct ProgramPage: Decodable {
  let references: Lenient<[Lenient<ProgramReference>]>?
  let deleted: Lenient<[Lenient<String>]>?
  let checkpoint: Lenient<Checkpoint>?
  let total: Lenient<Int>?
  let complete: Lenient<Bool>?
  let gaps: Lenient<[Lenient<Gap>]>?

  struct Gap: Decodable {
    let message: String
    let essential: Bool?
  }

  /// Returns the page; `unknown` are its unknown keys.
  ///
  /// A page that is empty, or has an unknown key instead of `references`, gets an essential gap: a
  /// claim to be complete would otherwise mark every item as deleted.
  func page(unknown: [String]) -> ListingPage {
    var found = (gaps?.value ?? []).compactMap(\.value).map {
      ListingGap($0.message, isEssential: $0.essential ?? true)
    }
    if references == nil, isEmpty || !unknown.isEmpty {
      let others = unknown.isEmpty ? "" : " but \(unknown.prefix(5).joined(separator: ", "))"
      found.append(ListingGap("a page has no references\(others)", isEssential: true))
    }
    found += faults("a gap was left out", gaps)
    found += faults("a reference was left out", references)
    found += faults("the id of a deleted item was left out", deleted)
    found += [checkpoint?.fault, total?.fault, complete?.fault].compactMap(\.self).map {
      ListingGap($0, isEssential: false)
    }
    return ListingPage(
      references: (references?.value ?? []).compactMap { $0.value?.reference },
      deleted: (deleted?.value ?? []).compactMap(\.value), checkpoint: checkpoint?.value,
      total: total?.value,
      isCompleteEnumeration: complete?.value ?? false, gaps: found)
  }

  /// Whether the page has no member with content.
  private var isEmpty: Bool {
    deleted == nil && checkpoint == nil && total == nil && complete == nil && gaps == nil
  }

  /// Returns an essential gap for each invalid element, or for a list that is not an array.
  private func faults<Element>(
    _ what: String, _ list: Lenient<[Lenient<Element>]>?
  ) -> [ListingGap] {
    ((list?.value ?? []).map(\.fault) + [list?.fault]).compactMap(\.self).map {
      ListingGap("\(what): \($0)", isEssential: true)
    }
  }
}

/// An element of an array, or why it is invalid.
private struct Lenient<Value: Decodable>: Decodable {
  let value: Value?
  let fault: String?

  init(from decoder: any Decoder) throws {
    do {
      value = try Value(from: decoder)
      fault = nil
    } catch {
      value = nil
      fault = ProgramReply.words(error)
    }
  }
}

/// An item in a listing.
private struct ProgramReference: Decodable {
  let reference: ItemReference

  private enum Key: String, CodingKey {
    case id, revision, title, date, payload
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let id = try container.decode(String.self, forKey: .id)
    let payload = try container.decodeIfPresent(String.self, forKey: .payload)
    guard (1...1024).contains(id.utf8.count) else {
      throw DecodingError.dataCorruptedError(
        forKey: .id, in: container, debugDescription: "an id has 1 to 1024 bytes")
    }
    guard payload?.utf8.count ?? 0 <= 64 << 10 else {
      throw DecodingError.dataCorruptedError(
        forKey: .payload, in: container, debugDescription: "a payload has at most 64 KiB")
    }
    reference = ItemReference(
      id: id, revision: try container.decode(String.self, forKey: .revision),
      title: try container.decodeIfPresent(String.self, forKey: .title) ?? "",
      date: try container.decodeIfPresent(ProgramDate.self, forKey: .date)?.date,
      payload: payload)
  }
}

/// One of a fixed set of words.
struct Word<Value: RawRepresentable<String> & CaseIterable & Sendable>: Decodable, Sendable {
  let value: Value

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text.prefix(40))' is none of \(known)")
    }
    self.value = value
  }
}

/// A time in RFC 3339, or a date.
struct ProgramDate: Decodable {
  let date: Date

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let date = UTCTime.leniently(text) ?? UTCTime.date(text.prefix(10)) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "a time is written 2026-11-21 or 2026-11-21T10:00:00Z")
    }
    self.date = date
  }
}
