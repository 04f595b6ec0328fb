extension Invocation {
  /// Returns the invocation of a run with the configuration file's values for options that neither
  /// the command line nor the environment sets.
  ///
  /// Values from an earlier reading are replaced. Errors of the file are left to `RunSettings`;
  /// valid keys take effect, so that the error is reported.
  func followingFile() -> Invocation {
    guard CommandName.running.contains(command.name) else { return self }
    var invocation = self
    invocation.arguments.removeAll(from: .file)
    let nights = ConfigurationFile.nights(configurationPath)
    for (key, _, option) in NightSettings.documented where !invocation.arguments.has(option) {
      guard let value = nights.values[key] else { continue }
      invocation.arguments.add(value, to: option, from: .file)
    }
    return invocation
  }
}
