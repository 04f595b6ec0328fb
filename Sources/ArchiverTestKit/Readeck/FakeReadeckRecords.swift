import ArchiverCore

extension FakeReadeckExchange {
  /// Returns a bookmark as in lists and details. `links`, `embed` and similar members are in
  /// details only, and `errors` only in responses for a single bookmark.
  func record(
    _ entry: FakeReadeck.Entry, isDetail: Bool, withErrors: Bool = false
  ) -> String {
    let bookmark = entry.bookmark
    let isLoading = bookmark.state == .loading
    let text = JSONText.object([
      ("id", JSONText.string(bookmark.id)),
      ("href", JSONText.string("\(address)/api/bookmarks/\(bookmark.id)")),
      ("created", JSONText.string(entry.created.text)),
      ("updated", JSONText.string(entry.updated.text)),
      ("state", "\(bookmark.state.rawValue)"), ("loaded", "\(!isLoading)"),
      ("url", JSONText.string(bookmark.url)), ("title", JSONText.string(bookmark.title)),
      ("site_name", JSONText.string(bookmark.siteName)), ("site", JSONText.string(bookmark.site)),
      ("published", JSONText.filled(bookmark.published)),
      ("authors", isLoading ? "null" : strings(bookmark.authors)),
      ("lang", JSONText.string(bookmark.language)),
      ("text_direction", JSONText.string(bookmark.textDirection)),
      ("document_type", JSONText.string(isLoading ? "" : bookmark.documentType)),
      ("type", JSONText.string(bookmark.type)),
      ("has_article", "\(bookmark.html != nil && !isLoading)"),
      ("description", JSONText.string(bookmark.description)),
      (
        "omit_description",
        isDetail && behaviour.isAtLeast(0, 20) && bookmark.html != nil
          ? "\(bookmark.omitsDescription)" : nil
      ),
      ("is_deleted", "\(bookmark.isDeleted)"), ("is_marked", "\(bookmark.isMarked)"),
      ("is_archived", "\(bookmark.isArchived)"), ("labels", strings(bookmark.labels.sorted())),
      ("read_progress", behaviour.isAtLeast(0, 17) ? "\(bookmark.readProgress)" : nil),
      ("resources", isLoading ? "{}" : resources(bookmark)),
      ("embed", isDetail ? JSONText.filled(bookmark.embed) : nil),
      ("embed_domain", isDetail ? JSONText.filled(bookmark.embedDomain) : nil),
      ("errors", withErrors && !bookmark.errors.isEmpty ? strings(bookmark.errors) : nil),
      ("word_count", bookmark.wordCount > 0 ? "\(bookmark.wordCount)" : nil),
      ("reading_time", bookmark.readingTime > 0 ? "\(bookmark.readingTime)" : nil),
    ])
    return behaviour.rewriteRecord(bookmark.id, text)
  }

  private func strings(_ texts: [String]?) -> String {
    texts.map { JSONText.array($0.map(JSONText.string)) } ?? "null"
  }

  private func resources(_ bookmark: FakeReadeck.Bookmark) -> String {
    let api = "\(address)/api/bookmarks/\(bookmark.id)"
    return JSONText.object([
      ("article", bookmark.html == nil ? nil : source("\(api)/article")),
      ("icon", picture(bookmark.icon, of: bookmark)),
      ("image", picture(bookmark.image, of: bookmark)),
      ("log", source("\(api)/x/log")), ("props", source("\(api)/x/props.json")),
      ("thumbnail", picture(bookmark.thumbnail, of: bookmark)),
    ])
  }

  private func source(_ address: String) -> String {
    JSONText.object([("src", JSONText.string(address))])
  }

  private func picture(
    _ picture: FakeReadeck.Bookmark.Picture?, of bookmark: FakeReadeck.Bookmark
  ) -> String? {
    guard let picture else { return nil }
    return JSONText.object([
      ("src", JSONText.string("\(folder(bookmark.id))/img/\(picture.name)")),
      ("width", picture.width > 0 ? "\(picture.width)" : nil),
      ("height", picture.height > 0 ? "\(picture.height)" : nil),
    ])
  }

  /// Returns the absolute URL of a bookmark's files.
  func folder(_ id: String) -> String { "\(address)/bm/\(id.prefix(2))/\(id)" }

  func highlight(_ highlight: FakeReadeck.Bookmark.Highlight, of bookmark: String) -> String {
    let text = JSONText.object([
      ("id", JSONText.string(highlight.id)),
      ("start_selector", "\"section/article/p[1]\""), ("start_offset", "0"),
      ("end_selector", "\"section/article/p[1]\""), ("end_offset", "\(highlight.text.count)"),
      ("color", behaviour.isAtLeast(0, 17) ? JSONText.string(highlight.color) : nil),
      ("created", JSONText.string(highlight.created)), ("text", JSONText.string(highlight.text)),
      ("note", behaviour.isAtLeast(0, 22) ? JSONText.string(highlight.note) : nil),
    ])
    return behaviour.rewriteRecord(bookmark, text)
  }

  /// Returns the article with its highlights; plain marks are those of the sync API.
  func article(
    _ bookmark: FakeReadeck.Bookmark, resources: String, bareMarks: Bool
  ) -> String {
    var html = bookmark.html ?? ""
    if !bookmark.resources.isEmpty { html = html.replacingBytes("./_resources/", with: resources) }
    for highlight in bookmark.highlights {
      let text = highlight.text.escaped
      guard let range = html.firstRange(of: text) else { continue }
      html.replaceSubrange(range, with: mark(highlight, text, bare: bareMarks))
    }
    return html
  }

  private func mark(
    _ highlight: FakeReadeck.Bookmark.Highlight, _ text: String, bare: Bool
  ) -> String {
    guard !bare else { return "<rd-annotation>\(text)</rd-annotation>" }
    let value = "data-annotation-id-value=\"\(highlight.id)\""
    let color = "data-annotation-color=\"\(highlight.color.escaped)\""
    let first =
      "<rd-annotation id=\"annotation-\(highlight.id)\" \(value) \(color)>\(text)</rd-annotation>"
    guard behaviour.isAtLeast(0, 22), !highlight.note.isEmpty else { return first }
    let note = "data-annotation-note=\"\" title=\"\(highlight.note.escaped)\""
    return first + "<rd-annotation \(value) \(note) \(color)></rd-annotation>"
  }
}

extension String {
  /// Escaped like Go's HTML writer.
  fileprivate var escaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&#34;").replacing("'", with: "&#39;")
  }

  /// Like `replacing`, but by bytes, because benchmarks should measure the client rather than the
  /// server.
  fileprivate func replacingBytes(_ text: String, with replacement: String) -> String {
    let bytes = Array(utf8)
    let wanted = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var written = 0
    var place = 0
    while place + wanted.count <= bytes.count {
      guard bytes[place] == wanted[0], bytes[place...].starts(with: wanted) else {
        place += 1
        continue
      }
      result += bytes[written..<place]
      result += replacement.utf8
      place += wanted.count
      written = place
    }
    result += bytes[written...]
    return String(decoding: result, as: UTF8.self)
  }
}
