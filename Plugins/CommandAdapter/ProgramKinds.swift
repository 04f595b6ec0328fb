package import ArchiverCore

/// The installed source programs as kinds of sources.
package enum ProgramKinds {
  /// Starts every program to describe itself, all in parallel. Blocks for at most ten seconds.
  ///
  /// Programs that fail to do so become kinds with a problem. Programs with names in `taken`, those
  /// of built-in kinds, are left out.
  package static func all(
    _ programs: [SourceProgram], variables: [String: String], taken: Set<String>,
    limits: ProgramLimits = ProgramLimits()
  ) -> [SourceKind] {
    let asked = programs.filter { !taken.contains($0.name) }.map { program in
      (
        program,
        Result { () throws(AdapterError) in
          try silentRunner(program, variables, limits).askDescription()
        }
      )
    }
    return asked.map { program, question in
      do throws(AdapterError) {
        let question = try question.get()
        return try kind(
          of: program, question.answer(), remarks: question.runner.remarks.all,
          variables: variables, limits: limits)
      } catch {
        return unusable(program, error)
      }
    }
  }

  /// Returns kinds by name alone, without settings and with a problem. Starts nothing.
  package static func unasked(_ programs: [SourceProgram], taken: Set<String>) -> [SourceKind] {
    programs.filter { !taken.contains($0.name) }.map { program in
      unusable(
        program, AdapterError(.configuration, "\(program.path) was not run to describe itself"))
    }
  }

  private static func silentRunner(
    _ program: SourceProgram, _ variables: [String: String], _ limits: ProgramLimits
  ) -> ProgramRunner {
    ProgramRunner(program: program, variables: variables, limits: limits, report: { _, _ in })
  }

  private static func unusable(_ program: SourceProgram, _ error: AdapterError) -> SourceKind {
    SourceKind(
      name: program.name,
      properties: AdapterProperties(
        title: program.name, summary: "A program that cannot be used", settings: []),
      program: program.path, problem: error.message
    ) { _ in
      SourceKind.Opening(access: nil) { _ in UnusableSource(error: error) }
    }
  }

  /// Makes the kind of one program.
  package static func kind(
    of program: SourceProgram, variables: [String: String], limits: ProgramLimits = ProgramLimits()
  ) throws(AdapterError) -> SourceKind {
    let question = try silentRunner(program, variables, limits).askDescription()
    return try kind(
      of: program, question.answer(), remarks: question.runner.remarks.all, variables: variables,
      limits: limits)
  }

  private static func kind(
    of program: SourceProgram, _ description: ProgramDescription, remarks: [String],
    variables: [String: String], limits: ProgramLimits
  ) throws(AdapterError) -> SourceKind {
    let properties = try description.properties(of: program)
    return SourceKind(
      name: program.name, properties: properties, program: program.path
    ) { data in
      let settings = try JSONDecoder().decode([String: JSONValue].self, from: data)
      return SourceKind.Opening(access: access(properties, settings)) { context in
        let runner = ProgramRunner(
          program: program, variables: variables, limits: limits,
          report: { context.log($0, $1) })
        for sentence in runner.remarks.new(among: remarks) { context.log(.info, sentence) }
        return ProgramSource(
          name: context.name, runner: runner, settings: settings,
          plain: plain(properties, settings), events: context.events,
          pool: ProgramPool(limit: description.processLimit))
      }
    }
  }

  /// The first URL among the settings is the source's own server, from which images are accepted
  /// even at a private address. The program's own requests are not restricted.
  private static func access(
    _ properties: AdapterProperties, _ settings: [String: JSONValue]
  ) -> SourceAccess? {
    let key = properties.settings.first { $0.value == .url }?.key
    return key.flatMap { settings[$0]?.string }.flatMap { WebURL($0) }.map {
      SourceAccess(baseURL: $0)
    }
  }

  /// Settings as plain variables for shells: `maxAge` as `ARCHIVER_SETTING_MAX_AGE`, lists with one
  /// element per line.
  private static func plain(
    _ properties: AdapterProperties, _ settings: [String: JSONValue]
  ) -> [String: String] {
    var variables: [String: String] = [:]
    for setting in properties.settings where setting.value != .secret && setting.value != .headers {
      let text = settings[setting.key]?.settingText(separator: "\n")
      if let text { variables["ARCHIVER_SETTING_\(setting.key.variableWords)"] = text }
    }
    return variables
  }
}

/// The source of an unusable program. It fails, and other sources run.
private struct UnusableSource: Source {
  let error: AdapterError

  func listing(since checkpoint: Checkpoint?) -> PagedListing<Bool> {
    PagedListing(false) { (_: inout Bool) throws(AdapterError) in throw error }
  }

  func item(_ reference: ItemReference) async throws(AdapterError) -> SourceItem { throw error }
}
