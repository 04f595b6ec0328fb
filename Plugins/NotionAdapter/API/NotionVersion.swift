/// A version of Notion's API, as sent with every request.
package enum NotionVersion: String, Sendable, CaseIterable, Codable {
  /// Databases are tables themselves; no views.
  case v2022 = "2022-06-28"
  /// A database is a container of data sources; views can be read.
  case v2025 = "2025-09-03"
  /// `in_trash` replaces `archived`, `meeting_notes` replaces `transcription`.
  case v2026 = "2026-03-11"

  var hasDataSources: Bool { self != .v2022 }
  /// The path of tables.
  var tablePath: String { hasDataSources ? "data_sources" : "databases" }
}
