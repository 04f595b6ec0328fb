import CBuildInfo

/// The version of the program.
package struct ProgramVersion: Sendable {
  /// The only definition of the semantic version; `Scripts/release` reads it here.
  static let number = "0.2.0"

  /// The version for people and packages.
  package var number: String
  /// The abbreviated commit that it was built from; empty if unknown.
  package var commit = ""
  /// The day of that commit; empty if unknown.
  package var date = ""

  /// The version of this program.
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
