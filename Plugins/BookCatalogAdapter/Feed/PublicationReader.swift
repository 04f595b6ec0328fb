import ArchiverCore

/// Reads OPDS 2.0 feeds and publications (a profile of the Readium Web Publication Manifest).
struct PublicationReader {
  /// The URL of the document after redirects.
  let url: WebURL

  func feed(_ json: JSONValue) -> CatalogFeed {
    var feed = CatalogFeed()
    let metadata = json["metadata"]
    feed.title = text(metadata?["title"]) ?? ""
    feed.updated = text(metadata?["modified"])
    feed.total = metadata?["numberOfItems"]?.integer
    feed.links = links(json["links"])
    feed.navigation = list(json["catalogs"]).flatMap { catalog in
      links(catalog["links"]).filter { $0.relations.contains("http://opds-spec.org/catalog") }
    }
    for part in [json] + list(json["groups"]) {
      feed.navigation += links(part["navigation"])
      if part["metadata"] != nil, part["navigation"] == nil, json["groups"] != nil {
        // A group has the first entries of a feed, which its `self` link leads to.
        feed.navigation += links(part["links"]).filter { $0.has(.own) && $0.media.isFeed }
      }
      let publications = list(part["publications"])
      feed.publications += publications.map(entry)
      for publication in publications {
        feed.unread.formUnion(PublicationReader.unknown(in: publication["metadata"]))
      }
    }
    // Groups show the first entries of other feeds; the number is that of all.
    if json["groups"]?.array?.isEmpty == false { feed.total = nil }
    feed.entryCount = feed.publications.count + feed.navigation.count
    return feed
  }

  /// Returns the names of members of a publication's metadata that have a value and are in no vocabulary
  /// of OPDS 2.0 or Readium.
  private static func unknown(in metadata: JSONValue?) -> [String] {
    let members = (metadata?.object ?? [:]).filter { !known.contains($0.key) && hasValue($0.value) }
    return members.keys.map { String($0.prefix(AtomVocabulary.longestName)) }
  }

  private static func hasValue(_ json: JSONValue) -> Bool {
    switch json {
    case .null: false
    case .string(let text): !text.isEmpty
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    case .bool, .integer, .number: true
    }
  }

  private static let known: Set<String> = [
    "@context", "@type", "abridged", "accessibility", "altIdentifier", "artist", "author",
    "belongsTo", "colorist", "conformsTo", "contributor", "day", "description", "duration",
    "editor", "identifier", "illustrator", "imprint", "inker", "language", "layout", "letterer",
    "modified", "month", "name", "narrator", "numberOfPages", "penciler", "presentation",
    "published", "publisher", "readingProgression", "rendition", "rights", "sortAs", "subject",
    "subtitle", "tdm", "title", "translator", "year",
  ]

  /// Whether a document is a feed rather than a publication. A feed without entries may have none of its
  /// collections.
  static func isFeed(_ json: JSONValue) -> Bool {
    if ["publications", "navigation", "groups", "facets", "catalogs"].contains(where: {
      json[$0] != nil
    }) {
      return true
    }
    return (json["links"]?.array ?? []).contains { link in
      let relations = link["rel"]?.array?.compactMap(\.string) ?? [link["rel"]?.string ?? ""]
      return relations.contains { LinkRelation($0) == .own }
        && CatalogMediaType(link["type"]?.string ?? "").isFeed
    }
  }

  func entry(_ json: JSONValue) -> CatalogEntry {
    let metadata = json["metadata"] ?? .object([:])
    var entry = CatalogEntry()
    entry.base = url.absoluteString
    entry.id = text(metadata["identifier"]) ?? ""
    entry.title = text(metadata["title"]) ?? text(metadata["name"]) ?? ""
    entry.authors = names(metadata["author"])
    if entry.authors.isEmpty {
      entry.authors =
        ["artist", "editor", "contributor"].lazy.map { names(metadata[$0]) }
        .first { !$0.isEmpty } ?? []
    }
    entry.language = metadata["language"]?.string ?? metadata["language"]?[0]?.string
    entry.publisher = names(metadata["publisher"]).first
    entry.description = metadata["description"]?.string?.trimmed.nonEmpty
    entry.published = metadata["published"]?.string ?? PublicationReader.day(metadata)
    entry.updated = metadata["modified"]?.string
    entry.subjects = names(metadata["subject"])
    entry.identifiers = list(metadata["altIdentifier"]).compactMap { text($0["value"] ?? $0) }
    let belongs = metadata["belongsTo"]
    entry.series = series(belongs?["series"])
    entry.columns = columns(belongs)
    for kind in ["magazine", "periodical", "newspaper", "journal"] where entry.periodical == nil {
      entry.periodical = series(belongs?[kind])
    }
    if entry.periodical == nil, let type = metadata["@type"]?.string?.lowercased(),
      type.hasSuffix("/periodical") || type.hasSuffix("/publicationissue")
    {
      entry.periodical = CatalogEntry.Series(name: entry.title, position: nil)
    }
    entry.links = links(json["links"]) + images(json["images"])
    entry.markDownloads()
    return entry
  }

  /// Returns a date of publication that is given in parts, as in Stump.
  private static func day(_ metadata: JSONValue) -> String? {
    // A date that cannot be read is shown as it is; see `CatalogDate.unread`.
    let parts = ["year", "month", "day"].map { name in
      metadata[name]?.integer.map { $0 < 10 ? "0\($0)" : String($0) } ?? metadata[name]?.string
    }
    let known = parts.prefix { $0 != nil }.compactMap { $0?.nonEmpty }
    return known.joined(separator: "-").nonEmpty
  }

  private func images(_ json: JSONValue?) -> [CatalogLink] {
    let found = links(json)
    return found.enumerated().map { index, link in
      var link = link
      link.relations = [index == 0 ? "http://opds-spec.org/image" : "thumbnail"]
      return link
    }
  }

  private func links(_ json: JSONValue?) -> [CatalogLink] {
    list(json).map { value in
      let href = value["href"]?.string?.trimmed ?? ""
      let relations =
        value["rel"]?.string.map { [$0] } ?? (value["rel"]?.array ?? []).compactMap(\.string)
      let isTemplate = value["templated"]?.bool == true
      let address = AtomReader.address(href, relations, url, isTemplate: isTemplate)
      var link = CatalogLink(
        address, relations: relations, type: value["type"]?.string, title: text(value["title"]))
      link.length = value["size"]?.integer.flatMap { $0 < 0 ? nil : $0 }
      let properties = value["properties"]
      if let price = properties?["price"], let amount = price["value"]?.number {
        link.price = "\(price["currency"]?.string ?? "") \(amount)".trimmed
      }
      link.indirectType = properties?["indirectAcquisition"]?[0]?["type"]?.string
      link.availability = properties?["availability"]?["state"]?.string
      return link
    }
  }

  /// Returns the elements of an array; another value as the only element.
  private func list(_ json: JSONValue?) -> [JSONValue] {
    guard let json, !json.isNull else { return [] }
    return json.array ?? [json]
  }

  /// Returns a string, or the first string of a language map.
  private func text(_ json: JSONValue?) -> String? {
    if let text = json?.string { return text.trimmed.nonEmpty }
    let versions = (json?.object ?? [:]).sorted { $0.key < $1.key }
    return versions.lazy.compactMap { $0.value.string?.trimmed.nonEmpty }.first
  }

  /// Returns the names of a contributor: a string, an object with a name, or an array of these.
  private func names(_ json: JSONValue?) -> [String] {
    guard let json else { return [] }
    if let list = json.array { return list.flatMap { names($0) } }
    let name = json.string?.trimmed.nonEmpty ?? text(json["name"]) ?? json["code"]?.string
    return name.map { [$0] } ?? []
  }

  /// Returns the series after the first one, and the collections; `nil` without any.
  private func columns(_ belongs: JSONValue?) -> [CatalogEntry.Column]? {
    let others = list(belongs?["series"]).dropFirst().compactMap { series($0) }.map { series in
      CatalogEntry.Column(
        name: "Series", value: series.name + (series.position.map { " [\($0)]" } ?? ""))
    }
    let collections = names(belongs?["collection"]).map {
      CatalogEntry.Column(name: "Collection", value: $0)
    }
    let columns = others + collections
    return columns.isEmpty ? nil : columns
  }

  private func series(_ json: JSONValue?) -> CatalogEntry.Series? {
    guard let json else { return nil }
    if let list = json.array { return list.first.flatMap { series($0) } }
    if let name = json.string?.trimmed.nonEmpty {
      return CatalogEntry.Series(name: name, position: nil)
    }
    guard let name = text(json["name"]) else { return nil }
    let position = json["position"]?.number ?? json["issue"]?["position"]?.number
    return CatalogEntry.Series(name: name, position: position.map { PlainNumber.text($0) })
  }
}
