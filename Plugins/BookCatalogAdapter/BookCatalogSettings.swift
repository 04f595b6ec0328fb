import ArchiverCore

extension AdapterSetting {
  /// The settings of a book catalog, in the order in which they are shown.
  static let bookCatalog: [AdapterSetting] = [
    AdapterSetting(
      "url", .url, environment: "BOOKS_URL", isRequired: true,
      help: "URL of the OPDS catalog, or of the server that has one",
      example: "https://books.example.org/opds"),
    AdapterSetting(
      "user", .text, environment: "BOOKS_USER", help: "User name for Digest or Basic login",
      example: "reader"),
    AdapterSetting(
      "password", .secret, environment: "BOOKS_PASSWORD", help: "Password for Digest or Basic login"
    ),
    AdapterSetting(
      "token", .secret, environment: "BOOKS_TOKEN",
      help: "Bearer token, instead of user and password"),
    AdapterSetting(
      "login", .choice(["auto", "basic"]), defaultValue: "auto",
      help: "Wait for the server to ask for Digest or Basic, or send Basic at once"),
    AdapterSetting(
      "feeds", .list, option: "--feed",
      help: "Only these feeds of the catalog, by title or URL", example: "New books"),
    AdapterSetting(
      "skipFeeds", .list, option: "--skip-feed",
      help: "Not these feeds of the catalog, by title or URL", example: "Random books"),
    AdapterSetting(
      "formats", .list, option: "--format", defaultValue: "epub, pdf",
      help: "Formats to archive, preferred first; other formats only if a book has none of these",
      example: "epub"),
    AdapterSetting(
      "allFormats", .flag, option: "--all-formats", defaultValue: "false",
      help: "Archive every format of a book"),
    AdapterSetting(
      "magazines", .list, option: "--magazine",
      help: "Series, tags and feeds whose books are issues of magazines", example: "Magazine"),
    AdapterSetting(
      "headers", .headers, help: "Header fields for a proxy or an API key",
      example: "{ \"X-API-Key\": \"env:KOMGA_KEY\" }"),
    AdapterSetting(
      "caFile", .text, environment: "BOOKS_CA_FILE",
      help: "PEM file of a certificate authority to trust", example: "/etc/ssl/home.pem"),
    AdapterSetting(
      "requestsPerSecond", .number(0.1...1000), help: "Maximum requests per second", example: "5"),
  ]
}
