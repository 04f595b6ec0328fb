extension Words {
  package static let english = Words(
    language: "en", name: "English",
    months: [
      "January", "February", "March", "April", "May", "June", "July", "August", "September",
      "October", "November", "December",
    ],
    datePattern: "%1 %2 %3", monthPattern: "%1 %2",
    reading: Reading(
      skip: "Skip to the text", library: "Library", previous: "Previous", next: "Next",
      published: "Published", archived: "Archived", minutes: "%1 min read",
      wordCount: "%1 words", favourite: "Favourite", labels: "Labels", original: "Original",
      originalAt: "Original at %1", by: "By", contents: "Contents",
      noContent: "There is no text of this item in the archive.", files: "Files",
      highlights: "Highlights", toPassage: "Show in the text", versions: "Earlier versions",
      versionOf: "Version of %1 UTC", earlierVersion: "This is an earlier version.",
      currentVersion: "Go to the current one", missing: "Images that could not be had",
      notes: "Notes", untitled: "Untitled", from: "from",
      gone: "The source no longer has this item."),
    library: Library(
      skip: "Skip to the content", library: "Library", navigation: "Library", items: "Items",
      labels: "Labels", sources: "Sources", dates: "Dates", highlights: "Highlights",
      statistics: "Statistics", problems: "Problems",
      footer: "Made by archiver. Everything here is on your own disk.",
      emptyTitle: "Nothing is archived yet",
      emptyText: "Run archiver, and what you saved appears here.", newest: "Newest",
      older: "Older", newer: "Newer", part: "%1, part %2", minutes: "%1 min",
      favourite: "Favourite", done: "Done", gone: "No longer at the source",
      kinds: [
        "article": "Article", "photo": "Photo", "video": "Video", "audio": "Audio",
        "document": "Document", "page": "Page", "database": "Database", "book": "Book",
        "periodical": "Periodical", "comic": "Comic",
      ], countOne: "1 item", count: "%1 items"),
    scripts: [
      "health": "How the sources stand", "good": "All well", "warn": "Look here",
      "bad": "Not working", "offline": "offline since %1, showing what is archived.",
      "neverRun": "never synced", "running": "running, started %1",
      "died": "the last run ended without a word, started %1",
      "interrupted": "the last run was interrupted, started %1", "synced": "synced %1",
      "failing": "%1 failing", "itemCount": "%1 items", "waiting": "%1 waiting",
      "lastRun": "%1 new in the last run",
    ])

  /// Every language the library speaks, English first.
  package static let all: [Words] = [english]
}
