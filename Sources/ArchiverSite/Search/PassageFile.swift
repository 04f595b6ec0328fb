import ArchiverCore

/// A file of `library/text/`: the text of a passage, and further search data of the item.
///
///     archiverSearch.text("NAME-NUMBER", "TEXT");
///     archiverSearch.text("NAME-NUMBER", "TEXT", {"also": "LINE\nLINE"});
///     archiverSearch.text("NAME-NUMBER", "TEXT", {"places": [[START, "PATH"], …]});
///
/// `also`, of an item's first passage only, has a line for each author, label, highlight and note,
/// so that phrases are found in them. `places`, of passages of books, has the offsets in UTF-16
/// units at which chapters and pages begin, with their URLs within the bundle; the first is 0.
/// `file`, also of the first passage only, says that the item has a file other than an image.
struct PassageFile: Hashable, Sendable {
  /// The start of a chapter or page.
  struct Place: Hashable, Sendable {
    let start: Int
    let path: String
  }

  var text: String
  var also = ""
  var places: [Place] = []
  var hasFile = false
}

extension PassageFile {
  /// Parses the output of `script`; `nil` for anything else.
  init?(_ script: [UInt8]) {
    guard let arguments = SegmentList.arguments(script, "text"), arguments.count > 1,
      let text = arguments[1].string
    else { return nil }
    self.text = text
    let value = arguments.dropFirst(2).first
    also = value?["also"]?.string ?? ""
    hasFile = value?["file"]?.bool ?? false
    places = (value?["places"]?.array ?? []).compactMap { place in
      guard let start = place.array?.first?.integer, let path = place.array?.last?.string else {
        return nil
      }
      return Place(start: start, path: path)
    }
  }

  /// Returns the file of an item's passage.
  func script(_ name: String, _ number: Int) -> [UInt8] {
    var arguments: [JSONValue] = [.string("\(name)-\(number)"), .string(text)]
    var more: [String: JSONValue] = [:]
    if !also.isEmpty { more["also"] = .string(also) }
    if hasFile { more["file"] = .bool(true) }
    if !places.isEmpty {
      more["places"] = .array(places.map { .array([.integer($0.start), .string($0.path)]) })
    }
    if !more.isEmpty { arguments.append(.object(more)) }
    return ScriptData.call("archiverSearch.text", arguments)
  }

  /// Returns the URL of the chapter or page at an offset of the text in UTF-16 units; `nil` if the
  /// text is the reading page's.
  func path(at place: Int) -> String? { (places.last { $0.start <= place } ?? places.first)?.path }
}
