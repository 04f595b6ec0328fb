package import ArchiverCore
import CommandAdapter

/// Returns the kinds of the installed source programs. Blocks while they describe themselves, at
/// most ten seconds.
package func programKinds(variables: [String: String], home: String) -> [SourceKind] {
  ProgramKinds.all(
    SourceProgram.installed(variables: variables, home: home), variables: variables,
    taken: Set(sourceKinds.map { $0.kind }))
}

/// Returns the kinds of the installed source programs by their names alone, without starting them.
package func namedProgramKinds(variables: [String: String], home: String) -> [SourceKind] {
  ProgramKinds.unasked(
    SourceProgram.installed(variables: variables, home: home),
    taken: Set(sourceKinds.map { $0.kind }))
}

/// Returns the paths of source programs, by name, that are ignored because a built-in kind has that
/// name. Starts nothing.
package func shadowedPrograms(variables: [String: String], home: String) -> [String: String] {
  let taken = Set(sourceKinds.map { $0.kind })
  let programs = SourceProgram.installed(variables: variables, home: home)
  return Dictionary(
    programs.filter { taken.contains($0.name) }.map { ($0.name, $0.path) }
  ) { first, _ in first }
}
