import CBuildInfo

/// Which program this is.
package struct ProgramVersion: Sendable {
  /// The one place of the semantic version; `Scripts/release` reads it here.
  static let number = "0.2.0"

  /// The version that people and packages go by.
  package var number: String
  /// The commit that it was built from, as far as it takes to find it; empty where that is not known.
  package var commit = ""
  /// The day of that commit; empty where that is not known.
  package var date = ""

  /// That of this program.
  static var current: ProgramVersion {
    ProgramVersion(
      number: number, commit: String(String(cString: archiver_commit()).prefix(12)),
      date: String(cString: archiver_build_date()))
  }

  /// "0.2.0 (3f2a1bc, 2026-11-27)", or the number alone.
  var text: String {
    let build = [commit, date].filter { !$0.isEmpty }
    return build.isEmpty ? number : "\(number) (\(build.joined(separator: ", ")))"
  }
}
