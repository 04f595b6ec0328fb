import ArchiverCore

extension AdapterSetting {
  /// The settings of a Readeck source, in the order in which they are shown.
  static let readeck: [AdapterSetting] = [
    AdapterSetting(
      "url", .url, environment: "READECK_URL", isRequired: true,
      help: "URL of the Readeck server, with its path if it has one",
      example: "https://read.example.org"),
    AdapterSetting(
      "token", .secret, environment: "READECK_TOKEN", isRequired: true,
      help:
        "API token with the role \u{201C}Bookmarks : Read Only\u{201D}, made under Profile, API Tokens"
    ),
    AdapterSetting(
      "state", .choice(BookmarkFilter.State.allCases.map(\.rawValue)), option: "--state",
      defaultValue: "all", help: "Which bookmarks to take"),
    AdapterSetting(
      "labels", .list, option: "--label",
      help: "Only bookmarks with all of these labels; a label ending in * matches a prefix, one "
        + "starting with - excludes, one in double quotes is taken literally",
      example: "web archive"),
    AdapterSetting(
      "collection", .text, option: "--collection",
      help: "Only bookmarks of this collection, by name or id", example: "To keep"),
    AdapterSetting(
      "type", .list, option: "--type", help: "Only article, photo or video", example: "article"),
    AdapterSetting(
      "site", .text, option: "--site", help: "Only bookmarks of this site and its subdomains",
      example: "example.org"),
    AdapterSetting(
      "rangeStart", .text, option: "--since",
      help: "Only bookmarks saved on or after this date, or within this age", example: "30d"),
    AdapterSetting(
      "rangeEnd", .text, option: "--until",
      help: "Only bookmarks saved before this date, or longer ago than this "
        + "age", example: "2026-01-31"),
    AdapterSetting(
      "readStatus", .list, option: "--read-status", help: "Only unread, reading or read",
      example: "read"),
    AdapterSetting(
      "onlyHighlighted", .flag, option: "--only-highlighted", defaultValue: "false",
      help: "Only bookmarks with highlights"),
    AdapterSetting(
      "pinLabel", .text,
      help: "Bookmarks with this label are never evicted or removed by a number to keep",
      example: "pinned"),
    AdapterSetting(
      "originals", .list,
      help: "Types of files to fetch from the bookmarked URL, as Readeck does not store them: "
        + "pdf; 'archiver run --force' fetches them for archived bookmarks",
      example: "pdf"),
    AdapterSetting(
      "headers", .headers,
      help: "Extra header fields for the server, such as a proxy's access key"),
    AdapterSetting(
      "caFile", .text, environment: "READECK_CA_FILE",
      help: "PEM file of certificate authorities to trust besides the system's",
      example: "/etc/ssl/home-ca.pem"),
    AdapterSetting(
      "requestsPerSecond", .number(0.1...1000), help: "Maximum requests per second to the server",
      example: "5"),
  ]
}
