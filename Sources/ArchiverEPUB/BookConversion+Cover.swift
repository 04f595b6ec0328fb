import ArchiverMarkup

// The cover, in each of the forms that books use.
extension BookConversion {
  /// The maximum length in bytes of text on a first page that counts as a cover.
  private static let coverText = 120

  /// Returns the path of the cover image, which is kept even if no page shows it.
  func coverPath() -> String? {
    for path in package.covers {
      guard let entry = archive.name(matching: path) else { continue }
      if let address = picture(entry) ?? firstPicture(on: entry) { return inBook(address) }
    }
    guard let first = plan.first(where: \.isLinear) else { return nil }
    return (picture(first.entry) ?? firstPicture(on: first.entry, atMost: Self.coverText))
      .map(inBook)
  }

  private func inBook(_ address: String) -> String { String(address.dropFirst(3)) }

  private func picture(_ entry: String) -> String? {
    references.asset(entry: entry, kinds: [.image, .drawing])
  }

  /// Returns the first image of a page; `nil` if the page has more text than permitted.
  private func firstPicture(on entry: String, atMost most: Int? = nil) -> String? {
    // A page that cannot be read is reported when it is written.
    guard let bytes = try? archive.text(entry),
      let root = try? XHTMLDocument.parse(bytes).document.root,
      let body = root.child("body"), most.map({ body.words.utf8.count <= $0 }) ?? true
    else { return nil }
    for element in body.descendants where ["img", "image"].contains(element.name.lowercased()) {
      let source = element.attribute("src") ?? ChapterWriter.href(element) ?? ""
      if let address = references.asset(source, from: entry, kinds: [.image, .drawing]) {
        return address
      }
    }
    return nil
  }
}
