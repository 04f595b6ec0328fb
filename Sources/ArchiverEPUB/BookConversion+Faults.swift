import ArchiverCore

extension BookConversion {
  /// Adds notes about faults of the archive and of the package, and about what no page is made of.
  func noteFaults() {
    notes.add(
      archive.ignored.count,
      "1 file of the book has an unsafe name or is a symbolic link; it was left out.",
      "\(archive.ignored.count) files of the book have unsafe names or are symbolic links; they "
        + "were left out.")
    notes.add(
      archive.repeated,
      "1 file of the book has the name of another one in its archive; it was left out.",
      "\(archive.repeated) files of the book have the names of other ones in its archive; they were "
        + "left out.")
    if let damage = archive.damage {
      notes.append("The book's archive is truncated or damaged: \(damage).")
    } else if archive.isWithoutDirectory {
      notes.append(
        "The directory of the book's archive is damaged; its files were found without it.")
    }
    if let problem = encryption.problem {
      notes.append("Which files of the book are encrypted is not known: \(problem).")
    }
    if package.isGuessed {
      notes.append(
        "The book does not say which file is its package document; \(package.path) was taken.")
    }
    if package.lacksOrder {
      notes.append("The book has no reading order; its texts are in the order of its package.")
    }
    if package.lacksTexts {
      notes.append("The book names none of its texts; they are in the order of their names.")
    }
    notes.add(
      package.danglingReferences, "1 entry of the reading order names a missing file.",
      "\(package.danglingReferences) entries of the reading order name a missing file.")
    notes.add(
      package.otherRenditions,
      "The book's file has another rendition of the book, which the pages do not show.",
      "The book's file has \(package.otherRenditions) other renditions of the book, which the "
        + "pages do not show.")
  }

  /// The media types of texts: of EPUB, of OPF 2 (section 1.3.7), and HTML.
  private static let textTypes: Set<String> = [
    "application/xhtml+xml", "application/x-dtbook+xml", "text/x-oeb1-document", "text/html",
  ]

  /// Adds a note about texts that no page is made of, as nothing leads to them.
  func noteUnlinked() {
    let fallbacks = Set(package.manifest.compactMap(\.fallback))
    let texts = Set(
      package.manifest.compactMap { item in
        BookConversion.textTypes.contains(item.mediaType) && !fallbacks.contains(item.id)
          ? item.path.flatMap { archive.name(matching: $0) } : nil
      })
    let count = texts.count { !references.hasPage($0) }
    notes.add(
      count,
      "1 text of the book is neither in its reading order nor linked; only the file has it.",
      "\(count) texts of the book are neither in its reading order nor linked; only the file has "
        + "them.")
  }
}
