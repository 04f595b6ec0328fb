import ArchiverCore
import ArchiverPipeline

extension RunSource {
  /// Applies the settings of file, environment and command line to the source.
  mutating func follow(_ settings: RunSettings, now: Date) {
    let rules = settings.rules(of: name)
    maxItems = settings.max(of: name)
    keepVersions = settings.keepVersions(of: name)
    guard rules.keep != nil || rules.olderThan != nil else { return }
    retention = RetentionPolicy(
      keep: rules.keep,
      archivedBefore: rules.olderThan.map { now.addingTimeInterval(-($0 / .seconds(1))) },
      sources: [name])
  }
}
