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
      gone: "The source no longer has this item."))

  /// Every language the library speaks, English first.
  package static let all: [Words] = [english]
}
