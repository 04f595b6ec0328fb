package import ArchiverCore
import CommandAdapter

/// Returns the kinds that are programs of this machine. Blocks while each describes itself, ten
/// seconds each at most.
package func programKinds(variables: [String: String], home: String) -> [SourceKind] {
  ProgramKinds.all(
    SourceProgram.installed(variables: variables, home: home), variables: variables,
    taken: Set(sourceKinds.map { $0.kind }))
}
