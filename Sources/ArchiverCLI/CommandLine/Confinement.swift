/// How a command enters the sandbox before it does anything else.
///
/// A command that reads untrusted content, or contacts a source or the hosts of images, does so.
/// The others run unsandboxed: they start programs of the system or the desktop, or print only
/// catalog and settings.
struct Confinement: Sendable {
  /// The access of a command to the archive.
  enum Use: Sendable {
    /// Writes it, creating it if necessary.
    case write
    /// Writes it if it exists.
    case change
    /// Does not write it: only temporary files may change.
    case leave
  }

  /// Whether the command contacts sources. A command that does not starts none of the user's programs.
  let asksSources: Bool
  /// Returns the access of an invocation to the archive; `nil` if it is not sandboxed.
  let use: @Sendable (ParsedArguments) -> Use?
  /// The sources that it contacts.
  let sources: @Sendable (RunSettings, ParsedArguments) throws -> [SourceConfiguration]
  /// Options that name output files; these are written beside their paths and then renamed.
  let outputs: [Option]
  /// Whether its operand is a directory to whose files it writes.
  var writesToOperand = false
  /// Whether an invocation contacts sources, if the command may.
  var isAsking: @Sendable (ParsedArguments) -> Bool = { _ in true }
  /// The only action of the command that is sandboxed; `nil` if all are.
  var action: String?

  /// A command that contacts these sources.
  static func asking(
    _ use: @escaping @Sendable (ParsedArguments) -> Use?,
    _ sources:
      @escaping @Sendable (RunSettings, ParsedArguments) throws -> [SourceConfiguration],
    isAsking: @escaping @Sendable (ParsedArguments) -> Bool = { _ in true }, action: String? = nil
  ) -> Confinement {
    Confinement(
      asksSources: true, use: use, sources: sources, outputs: [], isAsking: isAsking,
      action: action)
  }

  /// A command that changes the archive and contacts every configured source.
  static let configured = asking({ _ in .change }, { settings, _ in settings.configured })

  /// A command without an archive of its own that writes to the directory that its operand names.
  static let folder = Confinement(
    asksSources: false, use: { _ in .leave }, sources: { _, _ in [] }, outputs: [],
    writesToOperand: true)

  /// A command that reads and writes the archive, and possibly files named by these options.
  static func archive(outputs: [Option] = []) -> Confinement {
    Confinement(
      asksSources: false, use: { _ in .change }, sources: { _, _ in [] }, outputs: outputs)
  }
}
