import ArchiverCore

extension AdapterSetting {
  /// The settings of a book catalog, in the order in which they are shown.
  static let bookCatalog: [AdapterSetting] = [
    AdapterSetting(
      "url", .url, environment: "BOOKS_URL", isRequired: true,
      help: "Address of the OPDS catalog, or of the server that has one",
      example: "https://books.example.org/opds"),
    AdapterSetting(
      "user", .text, environment: "BOOKS_USER", help: "User name for Digest or Basic login",
      example: "reader"),
    AdapterSetting(
      "password", .secret, environment: "BOOKS_PASSWORD", help: "Password for Digest or Basic login"
    ),
    AdapterSetting(
      "token", .secret, environment: "BOOKS_TOKEN",
      help: "Token sent as Bearer, in place of user and password"),
    AdapterSetting(
      "login", .choice(["auto", "basic"]), defaultValue: "auto",
      help: "Wait for the server to ask for Digest or Basic, or send Basic at once"),
    AdapterSetting(
      "feeds", .list, option: "--feed",
      help: "Only these feeds of the catalog, by title or address", example: "New books"),
    AdapterSetting(
      "skipFeeds", .list, option: "--skip-feed",
      help: "Not these feeds of the catalog, by title or address", example: "Random books"),
    AdapterSetting(
      "formats", .list, option: "--format", defaultValue: "epub, pdf",
      help: "Formats to take, preferred first; others only where a book has none of these",
      example: "epub"),
    AdapterSetting(
      "allFormats", .flag, option: "--all-formats", defaultValue: "false",
      help: "Take every format a book comes in"),
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
      "requestsPerSecond", .number(0.1...1000), help: "Most requests per second", example: "5"),
  ]
}
