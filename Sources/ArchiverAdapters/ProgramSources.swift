package import ArchiverCore
import CommandAdapter

/// Returns the kinds that are programs of this machine. Blocks while they describe themselves, ten
/// seconds at most.
package func programKinds(variables: [String: String], home: String) -> [SourceKind] {
  ProgramKinds.all(
    SourceProgram.installed(variables: variables, home: home), variables: variables,
    taken: Set(sourceKinds.map { $0.kind }))
}

/// Returns the kinds that are programs of this machine by their names alone. Runs nothing.
package func namedProgramKinds(variables: [String: String], home: String) -> [SourceKind] {
  ProgramKinds.unasked(
    SourceProgram.installed(variables: variables, home: home),
    taken: Set(sourceKinds.map { $0.kind }))
}

/// Returns the paths of programs, by name, that are ignored because their names are those of
/// built-in kinds. Runs nothing.
package func shadowedPrograms(variables: [String: String], home: String) -> [String: String] {
  let taken = Set(sourceKinds.map { $0.kind })
  let programs = SourceProgram.installed(variables: variables, home: home)
  return Dictionary(
    programs.filter { taken.contains($0.name) }.map { ($0.name, $0.path) }
  ) { first, _ in first }
}
