package import ArchiverCore

/// An item as printed by a program.
package struct ProgramItem: Decodable, Sendable {
  struct File: Decodable, Sendable {
    let role: Word<Attachment.Role>?
    /// The file's location, or with `file` the URL by which the content refers to it.
    let url: String?
    /// The name of a file in the handover folder.
    let file: String?
    let name: String?
    let mediaType: String?
    let caption: String?
    let width: Int?
    let height: Int?
  }

  struct Facts: Decodable, Sendable {
    let kind: String?
    let title: String?
    let url: String?
    let site: String?
    let siteName: String?
    let authors: [String]?
    let summary: String?
    let language: String?
    let direction: Word<TextDirection>?
    let published: ProgramDate?
    let added: ProgramDate?
    let modified: ProgramDate?
    let labels: [String]?
    let favourite: Bool?
    let pinned: Bool?
    let archived: Bool?
    let readProgress: Int?
    let readingTime: Int?
    let series: ItemSeries?
    let properties: [ItemProperty]?
  }

  struct Mark: Decodable, Sendable {
    let id: String
    let text: String
    let note: String?
    let color: String?
    let created: ProgramDate?
    let start: Annotation.Position?
    let end: Annotation.Position?
  }

  struct Link: Decodable, Sendable {
    let kind: Word<ItemLink.Kind>
    let target: String
  }

  /// The revision of the content, if it is newer than that of the listing.
  let revision: String?
  let metadata: Facts
  let html: String?
  /// The name of a file with the HTML.
  let htmlFile: String?
  /// The reason if there is no content.
  let reason: String?
  let baseURL: String?
  let attachments: [File]?
  let annotations: [Mark]?
  let links: [Link]?
  /// Additional URLs by which others link to the item.
  let addresses: [String]?
  let record: JSONValue?
  let notes: [String]?
  let missing: [Part]?

  /// A part that could not be read.
  struct Part: Decodable, Sendable {
    let kind: Word<MissingPart.Kind>?
    let name: String?
    let reason: String
    let permanent: Bool?
    let essential: Bool?

    fileprivate var part: MissingPart {
      MissingPart(
        kind?.value ?? .text, name: name ?? "", reason: reason, isPermanent: permanent ?? false,
        isEssential: essential ?? true)
    }
  }

  /// Returns the item requested by `reference`, with the files that it names in `folder`.
  package func sourceItem(_ reference: ItemReference, _ folder: HandoverFolder) throws(AdapterError)
    -> SourceItem
  {
    var reference = reference
    reference.revision = revision ?? reference.revision
    var files: [Attachment] = []
    for file in attachments ?? [] { files.append(try file.attachment(folder)) }
    return SourceItem(
      reference: reference, metadata: metadata.itemMetadata, body: try body(folder),
      attachments: files,
      annotations: (annotations ?? []).map {
        Annotation(
          id: $0.id, text: $0.text, note: $0.note, color: $0.color, created: $0.created?.date,
          start: $0.start, end: $0.end)
      },
      links: (links ?? []).map { ItemLink($0.kind.value, target: $0.target) },
      addresses: addresses ?? [], record: encodedRecord, notes: notes ?? [],
      missing: (missing ?? []).map(\.part) + oversights)
  }

  /// Sentences about values that are ignored or changed.
  var remarks: [String] {
    var found: [String] = []
    func check(_ key: String, _ text: String?) {
      guard let text, WebURL(text) == nil else { return }
      found.append("\(key) is not an http or https address and is ignored")
    }
    if let kind = metadata.kind, ItemMetadata.Kind(rawValue: kind) == nil {
      let known = ItemMetadata.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      found.append(
        "metadata.kind '\(kind.prefix(40))' is unknown and taken for article (known are \(known))")
    }
    if let progress = metadata.readProgress, !(0...100).contains(progress) {
      found.append("metadata.readProgress \(progress) is not from 0 to 100 and is limited to that")
    }
    check("metadata.url", metadata.url)
    check("baseURL", baseURL)
    for address in addresses ?? [] { check("an element of addresses", address) }
    for file in attachments ?? [] where file.file != nil { check("attachments.url", file.url) }
    if html != nil, htmlFile != nil { found.append("htmlFile is ignored beside html") }
    return found
  }

  /// Values that the program should have printed or that are invalid, as missing parts.
  private var oversights: [MissingPart] {
    var parts: [MissingPart] = []
    if html == nil, htmlFile == nil, reason == nil, attachments?.isEmpty ?? true,
      missing?.isEmpty ?? true
    {
      parts.append(
        MissingPart(
          .text, name: "the text",
          reason: "the program printed neither html, htmlFile, reason, attachments nor missing"))
    }
    if let kind = metadata.kind, ItemMetadata.Kind(rawValue: kind) == nil {
      parts.append(
        MissingPart(
          .record, name: "the kind", reason: "'\(kind.prefix(40))' is not a known kind",
          isPermanent: true, isEssential: false))
    }
    return parts
  }

  private var encodedRecord: [UInt8]? {
    guard let record, !record.isNull else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    // A decoded value can always be encoded.
    return (try? encoder.encode(record)).map(Array.init)
  }

  private func body(_ folder: HandoverFolder) throws(AdapterError) -> ItemBody {
    let base = baseURL.flatMap { WebURL($0) }
    if let html { return .html(Array(html.utf8), baseURL: base) }
    if let htmlFile { return .html(try folder.take(htmlFile), baseURL: base) }
    return .none(reason: reason ?? "The source has no text for it.")
  }
}

extension ProgramItem.File {
  fileprivate func attachment(_ folder: HandoverFolder) throws(AdapterError) -> Attachment {
    let place: Attachment.Location
    if let file {
      place = .inline(try folder.take(file))
    } else if let address = url.flatMap({ WebURL($0) }) {
      place = .remote(address)
    } else {
      throw AdapterError(.malformed, "an attachment needs url or file")
    }
    var attachment = Attachment(
      role?.value ?? .file, place, name: name ?? file, mediaType: mediaType, caption: caption,
      width: width, height: height)
    if file != nil { attachment.address = url.flatMap { WebURL($0) } }
    return attachment
  }
}

extension ProgramItem.Facts {
  fileprivate var itemMetadata: ItemMetadata {
    var metadata = ItemMetadata(
      kind: kind.flatMap { ItemMetadata.Kind(rawValue: $0) } ?? .article, title: title ?? "")
    let address = url.flatMap { WebURL($0) }
    metadata.url = address?.absoluteString
    metadata.site = site ?? address?.host
    metadata.siteName = siteName
    metadata.authors = authors ?? []
    metadata.summary = summary
    metadata.language = language
    metadata.direction = direction?.value
    metadata.published = published?.date
    metadata.added = added?.date
    metadata.modified = modified?.date
    metadata.labels = labels ?? []
    metadata.isFavourite = favourite ?? false
    metadata.isPinned = pinned
    metadata.isArchived = archived ?? false
    metadata.readProgress = readProgress.map { min(max($0, 0), 100) }
    metadata.readingTime = readingTime
    metadata.series = series.flatMap { $0.name.isEmpty ? nil : $0 }
    metadata.properties = properties ?? []
    return metadata
  }
}
