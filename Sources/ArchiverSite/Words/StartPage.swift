extension Words {
  /// Strings of the start page of several archives; most others are those of the library.
  struct StartPage: Sendable {
    let title: String
    let archives: String
    let oneArchive: String
    /// The day of the last successful run.
    let updated: String
    let notUpdated: String
    let died: String
    let interrupted: String
    let moreSources: String
    let footer: String
  }
}
