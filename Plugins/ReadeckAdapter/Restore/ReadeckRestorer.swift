import ArchiverCore
import ArchiverMarkup

/// Writes bookmarks in Readeck's export format, version 1: a ZIP file that 0.20 and later import.
struct ReadeckRestorer: SourceRestorer {
  let advice =
    "Upload it in Readeck at Profile > Import. It replaces all bookmarks, collections, tokens and "
    + "settings of that account."

  /// The id of the only user in the file.
  private static let owner: JSONValue = 1
  /// The settings of a new account.
  private static let standardSettings: JSONValue = [
    "addon_reminder": true,
    "reader_settings": .object(["font": "lora", "font_size": 3, "line_height": 3]),
  ]

  func index(of ids: [String], owner: RestoredOwner) throws(AdapterError) -> RestoredItem {
    let records = owner.records.map { AccountRecord($0) }
    let bookmarks = ids.map {
      JSONValue.object(["UID": .string($0), "UserID": ReadeckRestorer.owner])
    }
    let settings =
      owner.settings ?? records.lazy.compactMap(\.settings).first
      ?? ReadeckRestorer.standardSettings
    let user: JSONValue = [
      "ID": ReadeckRestorer.owner, "Username": .string(owner.name), "Settings": settings,
    ]
    var result = RestoredItem()
    let collections = ReadeckRestorer.collections(records, &result.losses)
    let data: JSONValue = [
      "Info": .object(["Version": "1"]), "Users": .array([user]), "Tokens": .array([]),
      "BookmarkCollections": .array(collections), "Bookmarks": .array(bookmarks),
    ]
    result.files = [RestoredFile("data.json", .bytes(try ReadeckRestorer.json(data)))]
    return result
  }

  private static func collections(
    _ records: [AccountRecord], _ losses: inout [String]
  ) -> [JSONValue] {
    var known: [SavedFilter] = []
    for record in records.flatMap(\.collections) {
      guard let filter = SavedFilter(record) else {
        losses.append("collection")
        continue
      }
      losses += Array(repeating: "filter of a collection", count: filter.unreadable)
      if !known.contains(where: { $0.isSame(as: filter) }) { known.append(filter) }
    }
    return known.map { filter in
      var collection: [String: JSONValue] = [
        "UserID": owner, "Name": .string(filter.name), "IsPinned": .bool(filter.isPinned),
        "Filters": .object(filter.filters),
      ]
      if let created = filter.created { collection["Created"] = .string(created) }
      if let updated = filter.updated { collection["Updated"] = .string(updated) }
      return .object(collection)
    }
  }

  func files(of item: KeptItem) throws(AdapterError) -> RestoredItem {
    guard item.id.utf8.allSatisfy(ReadeckRestorer.isOfID), !item.id.isEmpty else {
      throw AdapterError(.malformed, "its id is not a Readeck id")
    }
    let folder = "bookmarks/\(item.id)"
    var result = RestoredItem()
    let record = item.record.flatMap {
      try? ForeignJSON.decode(JSONValue.self, from: Data($0))
    }
    if record == nil { result.losses.append("record") }
    result.losses += Array(repeating: "picture", count: item.absent)
    let pictures = RestoredPictures(item)
    let article = try item.article(record).map { (html) throws(AdapterError) in
      do throws(MarkupError) {
        return try RestoredArticle(html, item.annotations, pictures)
      } catch {
        throw AdapterError(.malformed, "its text cannot be read: \(error.message)")
      }
    }
    if let article {
      result.files.append(RestoredFile("\(folder)/container/index.html", .bytes(article.html)))
      result.losses += Array(repeating: "picture", count: article.lostPictures)
    }
    let marks = article?.marks ?? [:]
    result.losses += Array(
      repeating: "highlight", count: item.annotations.count { marks[$0.id] == nil })
    result.files += pictures.used(by: article).map {
      RestoredFile("\(folder)/container/\($0.name)", .file($0.path))
    }
    let info = ReadeckRestorer.info(item, record, article, pictures)
    result.files.insert(
      RestoredFile("\(folder)/info.json", .bytes(try ReadeckRestorer.json(info))), at: 0)
    return result
  }

  private static func isOfID(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }

  private static func json(_ value: JSONValue) throws(AdapterError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return Array(try encoder.encode(value))
    } catch {
      throw AdapterError(.malformed, "its record cannot be written: \(error)")
    }
  }

  private static func info(
    _ item: KeptItem, _ record: JSONValue?, _ article: RestoredArticle?,
    _ pictures: RestoredPictures
  ) -> JSONValue {
    let metadata = item.metadata
    func text(_ key: String, _ other: String?) -> JSONValue {
      .string(record?[key]?.string ?? other ?? "")
    }
    // One value of a wrong type makes the server refuse the whole file.
    func time(_ key: String, _ other: Date?) -> JSONValue {
      if let known = record?[key]?.string.flatMap({ Timestamp($0) }) { return .string(known.text) }
      guard let other else { return .null }
      return .string(UTCTime.text(other))
    }
    func strings(_ key: String, _ other: [String]) -> JSONValue {
      if let known = record?[key]?.array { return .array(known.filter { $0.string != nil }) }
      return .array(other.map { JSONValue.string($0) })
    }
    func number(_ key: String, _ other: Int?) -> JSONValue {
      .integer(record?[key]?.integer ?? other ?? 0)
    }
    let site = record?["site"]?.string ?? metadata.site ?? ""
    var info: [String: JSONValue] = ["UID": .string(item.id), "UserID": owner]
    info["URL"] = text("url", metadata.url)
    info["InitialURL"] = text("url", metadata.url)
    info["Title"] = text("title", metadata.title)
    info["Site"] = .string(site)
    info["Domain"] = .string(site.hasPrefix("www.") ? String(site.dropFirst(4)) : site)
    info["SiteName"] = text("site_name", metadata.siteName)
    info["Created"] = time("created", metadata.added)
    info["Updated"] = time("updated", metadata.modified)
    info["Published"] = time("published", metadata.published)
    info["State"] = number("state", 0)
    info["Authors"] = strings("authors", metadata.authors)
    info["Lang"] = text("lang", metadata.language)
    info["TextDirection"] = text("text_direction", metadata.direction?.rawValue)
    info["DocumentType"] = text("document_type", metadata.kind.rawValue)
    info["Description"] = text("description", metadata.summary)
    info["Text"] = .string(article?.words ?? "")
    info["WordCount"] = number("word_count", metadata.wordCount)
    info["Embed"] = text("embed", nil)
    info["Errors"] = strings("errors", [])
    info["Labels"] = strings("labels", metadata.labels)
    info["ReadProgress"] = number("read_progress", metadata.readProgress)
    info["ReadAnchor"] = text("read_anchor", nil)
    info["Links"] = .array((record?["links"]?.array ?? []).map(ReadeckRestorer.link))
    info["IsMarked"] = .bool(metadata.isFavourite)
    info["IsArchived"] = .bool(metadata.isArchived)
    info["Files"] = pictures.record(hasArticle: article != nil)
    let marks = article?.marks ?? [:]
    info["Annotations"] = .array(
      item.annotations.compactMap { annotation in
        marks[annotation.id].map { ReadeckRestorer.highlight(annotation, $0) }
      })
    return .object(info)
  }

  /// Returns a record's link with only those members that the format has and whose types are right.
  private static func link(_ record: JSONValue) -> JSONValue {
    let texts = ["url", "domain", "title", "content_type"]
    var link = (record.object ?? [:]).filter { texts.contains($0.key) && $0.value.string != nil }
    link["is_page"] = .bool(record["is_page"] == .bool(true))
    return .object(link)
  }

  /// Returns the record of a highlight. Offsets count code points from the start of the article's outermost element.
  private static func highlight(_ annotation: Annotation, _ place: Range<Int>) -> JSONValue {
    var mark: [String: JSONValue] = [:]
    mark["id"] = .string(annotation.id)
    mark["start_selector"] = "section"
    mark["start_offset"] = .integer(place.lowerBound)
    mark["end_selector"] = "section"
    mark["end_offset"] = .integer(place.upperBound)
    mark["text"] = .string(annotation.text)
    mark["color"] = .string(annotation.color ?? "yellow")
    mark["note"] = .string(annotation.note ?? "")
    if let created = annotation.created { mark["created"] = .string(UTCTime.text(created)) }
    return .object(mark)
  }
}

extension KeptItem {
  /// Returns the article as Readeck delivered it; `nil` if the bookmark has none. For a video,
  /// removes what `VideoPage` added.
  func article(_ record: JSONValue?) -> [UInt8]? {
    guard record?["has_article"] != .bool(false) else { return nil }
    guard record?["type"] == "video" else { return html }
    return html.map { VideoPage.article(of: $0, embed: record?["embed"]?.string) }
  }
}

/// The images of a bookmark, with the names that Readeck gives them.
struct RestoredPictures {
  struct Picture {
    let name: String
    let path: String
    let url: String?
    let role: Attachment.Role?
    let mediaType: String
    let width: Int?
    let height: Int?
  }

  let all: [Picture]

  init(_ item: KeptItem) {
    var all: [Picture] = []
    var names: Set<String> = []
    for file in item.files {
      let ending = file.path.split(separator: ".").last.map { ".\($0)" } ?? ""
      let base = file.url?.split(separator: "/").last.map(String.init) ?? ""
      let isPlain =
        !base.isEmpty && !base.hasPrefix(".")
        && base.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#%\\:".utf8.contains($0) }
      let stored = file.path.split(separator: "/").last.map(String.init) ?? ""
      var name =
        switch file.role {
        case .icon: "img/icon\(ending)"
        case .cover, .image: "img/image\(ending)"
        default: "_resources/\(isPlain ? base : stored)"
        }
      if names.contains(name) { name = "_resources/\(stored)" }
      guard names.insert(name).inserted else { continue }
      all.append(
        Picture(
          name: name, path: file.path, url: file.url, role: file.role, mediaType: file.mediaType,
          width: file.width, height: file.height))
    }
    self.all = all
  }

  /// Returns the name of an image of the article; `nil` if it is not archived.
  func name(_ address: String) -> String? {
    all.first { $0.url == address }?.name
  }

  /// Returns the images in the article and those of the bookmark.
  func used(by article: RestoredArticle?) -> [Picture] {
    all.filter { picture in
      picture.role != nil && picture.role != .file || article?.shown.contains(picture.name) == true
    }
  }

  func record(hasArticle: Bool) -> JSONValue {
    var files: [String: JSONValue] = [:]
    if hasArticle { files["article"] = ["name": "index.html", "type": "text/html"] }
    for picture in all where picture.name.hasPrefix("img/") {
      let key = picture.name.hasPrefix("img/icon") ? "icon" : "image"
      let file: JSONValue = [
        "name": .string(picture.name), "type": .string(picture.mediaType),
        "size": .array([.integer(picture.width ?? 0), .integer(picture.height ?? 0)]),
      ]
      files[key] = file
      // Readeck makes thumbnails on its own; until then it shows the large image.
      if key == "image" { files["thumbnail"] = file }
    }
    return .object(files)
  }
}
