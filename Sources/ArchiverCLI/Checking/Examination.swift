import ArchiverCore
import ArchiverPDF
import ArchiverPipeline
import ArchiverStorage

/// Checks everything on which a run depends.
struct Examination {
  let invocation: Invocation
  let environment: ProcessEnvironment
  let wording: Wording

  /// `wording` gives the language of the findings; errors are in English.
  init(_ invocation: Invocation, in wording: Wording) {
    self.invocation = invocation
    environment = invocation.environment
    self.wording = wording
  }

  func findings() async -> [Finding] {
    var findings = [
      finding(.ofProgram, .good, "archiver \(invocation.services.version)"),
      finding(.ofLibraries, .good, Services.libraries.joined(separator: ", ")),
    ]
    findings += passedOver() + readers()
    var place: String?
    do throws(UsageError) {
      let settings = try RunSettings(invocation)
      place = settings.archive
      findings += configuration(settings)
      findings += logins(settings)
      findings += archive(settings)
      findings += await sources(settings)
      findings += history(settings)
    } catch {
      findings.append(
        finding(.ofConfiguration, .bad, error.message, wording.text(.mendConfiguration)))
    }
    findings.append(browser())
    return findings + schedule(of: place)
  }

  /// Checks stored logins. They hold tokens: only the owner may read the file or change its
  /// directory.
  private func logins(_ settings: RunSettings) -> [Finding] {
    let folder = environment.configurationFolder + "/logins"
    let paths = settings.resolution.sources.map { StoredLogin.path(of: $0.name, in: environment) }
    let places = [(folder, mode_t(0o022), "700")] + paths.map { ($0, mode_t(0o077), "600") }
    return places.compactMap { path, forbidden, right in
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      let isForeign = status.st_uid != geteuid()
      guard isForeign || status.st_mode & forbidden != 0 else { return nil }
      let place = environment.abbreviated(path)
      return finding(
        .ofLogins, .bad, wording.text(isForeign ? .foreignLogin : .openLogin, place),
        isForeign
          ? wording.text(.removeLogin)
          : wording.text(.closeLogin, "chmod \(right) \(path.shellQuoted)"))
    }
  }

  /// Reports which readers of formats are installed. Files of other formats are archived, but their text is not read.
  private func readers() -> [Finding] {
    let path = environment.searchPath
    let djvu = DjVuPrograms(searchPath: path)
    let pages = [djvu?.words, djvu?.pictures].compactMap { $0 }.map(environment.abbreviated)
    var findings = [reader("PDF", try? PDFReader().version, .pdfUnread, .installPDFLibrary)]
    if !PipelineLibraries.opensComics {
      findings.append(
        finding("CBZ", .doubtful, wording.text(.comicsUnread), wording.text(.installComicLibrary)))
    }
    let pdf = PDFText(searchPath: path)?.path
    let book = BookProgram(searchPath: path)?.path
    return findings + [
      reader("PDF", pdf.map(environment.abbreviated), .pdfUnsearched, .installPDFProgram),
      reader("MOBI", book.map(environment.abbreviated), .booksUnread, .installBookProgram),
      reader(
        "DjVu", pages.count < 2 ? nil : pages.joined(separator: ", "), .djvuUnread,
        .installDjVuPrograms),
    ]
  }

  private func reader(
    _ format: String, _ found: String?, _ lack: Phrase, _ remedy: Phrase
  ) -> Finding {
    finding(format, .good, found ?? wording.text(lack), found == nil ? wording.text(remedy) : nil)
  }

  func finding(
    _ subject: String, _ state: Finding.State, _ detail: String, _ remedy: String? = nil
  ) -> Finding {
    Finding(subject: subject, state: state, detail: detail, remedy: remedy)
  }

  func finding(
    _ subject: Phrase, _ state: Finding.State, _ detail: String, _ remedy: String? = nil
  ) -> Finding {
    finding(wording.text(subject), state, detail, remedy)
  }

  private func passedOver() -> [Finding] {
    invocation.services.shadowed(environment).sorted(by: <).map { name, path in
      finding(
        name, .doubtful, wording.text(.shadowed, DisplayText.line(path), name),
        wording.text(.renameProgram, "archiver-source-my-\(name)"))
    }
  }

  /// A missing browser does not prevent archiving, only reading.
  private func browser() -> Finding {
    let names = [
      "xdg-open", "firefox", "firefox-esr", "chromium", "google-chrome", "brave-browser",
      "epiphany", "falkon", "w3m", "open",
    ]
    let folders = environment.searchPath.split(separator: ":")
    let found = names.first { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
    return finding(
      .ofBrowser, found == nil ? .doubtful : .good, found ?? wording.text(.noBrowser),
      found == nil ? wording.text(.useBrowser) : nil)
  }

  private func configuration(_ settings: RunSettings) -> [Finding] {
    let path = settings.file.map { environment.abbreviated($0.path) }
    var findings = [
      finding(.ofConfiguration, .good, path ?? wording.text(.noFile))
    ]
    findings += settings.resolution.warnings.map {
      finding(.ofConfiguration, .doubtful, $0, wording.text(.mendWarning))
    }
    if settings.configured.isEmpty {
      findings.append(
        finding(
          .ofConfiguration, .bad, wording.text(.noSource),
          settings.resolution.sources.first?.remedy()?.message ?? wording.text(.seeSources))
      )
    }
    for source in settings.resolution.sources {
      guard let problem = source.kind.problem else { continue }
      findings.append(
        finding(
          source.name, .bad, problem, wording.text(.mendProgram, source.kind.program ?? source.name)
        ))
    }
    return findings
  }

  private func sources(_ settings: RunSettings) async -> [Finding] {
    guard let opener = try? SourceOpener(invocation, settings) else {
      return [
        finding(.ofConfiguration, .bad, wording.text(.badHosts), wording.text(.writeHosts))
      ]
    }
    var findings: [Finding] = []
    for source in settings.configured where source.kind.problem == nil {
      do {
        let opened = try opener.open(source)
        if let origin = opened.origin {
          findings += await reach(source.name, origin, opener.probe([opened]))
        } else {
          findings.append(
            finding(source.name, .good, wording.text(.noServer)))
        }
      } catch {
        findings.append(
          finding(source.name, .bad, ErrorText.message(error), wording.text(.seeSources)))
      }
    }
    return findings
  }

  private func reach(
    _ name: String, _ origin: Origin, _ client: any HTTPClient
  ) async -> [Finding] {
    guard let url = WebURL("\(origin)/") else { return [] }
    let request = HTTPRequest(
      .head, url, redirectLimit: 0, usesCredential: false,
      timeouts: HTTPTimeouts(connect: .seconds(5), stall: .seconds(5), total: .seconds(10)))
    do throws(HTTPError) {
      let response = try await client.send(request)
      return [finding(name, .good, wording.text(.answers, "\(origin)")), clock(response)]
        .compactMap(\.self)
    } catch {
      return [
        finding(
          name, .bad, error.message, wording.text(.tryServer, "curl -I \(url.absoluteString)"))
      ]
    }
  }

  /// Compares the clock with the server's `Date` (RFC 9110 section 6.6.1).
  private func clock(_ response: HTTPResponse) -> Finding? {
    guard let server = response.headers.date else { return nil }
    let difference = environment.clock.now().timeIntervalSince(server)
    if abs(difference) < 300 { return nil }
    let words = wording.time(.seconds(abs(difference)))
    return finding(
      .ofClock, .doubtful, wording.text(difference > 0 ? .clockAhead : .clockBehind, words),
      wording.text(.setClock))
  }

  private func history(_ settings: RunSettings) -> [Finding] {
    let statuses: [SourceStatus]
    do {
      statuses = try invocation.services.catalog(settings.archive)?.sources() ?? []
    } catch {
      return [
        finding(.ofCatalog, .bad, ErrorText.message(error), wording.text(.verifyCatalog))
      ]
    }
    return statuses.compactMap { status in
      guard let since = status.failingSince else { return nil }
      return finding(
        status.source, .bad,
        wording.text(.unreachedSince, UTCTime.day(since), status.lastRun?.failure ?? ""),
        wording.text(.checkConfig))
    }
  }

  /// Checks the schedule. Without an archive, as while the configuration has errors, any schedule counts.
  private func schedule(of archive: String?) -> [Finding] {
    let place = SchedulePlace(environment, run: invocation.services.runCommand)
    // If the query fails, nothing counts as installed.
    let found = (try? place.installed()) ?? []
    let runs = place.runs()
    let own = runs.filter { run in archive.map { run.writes(to: $0, invocation) } ?? true }
    if !runs.isEmpty, own.isEmpty {
      return [
        finding(
          .ofSchedule, .doubtful, wording.text(.scheduledForOthers), wording.text(.showSchedule))
      ]
    }
    let scheduled = finding(
      .ofSchedule, found.isEmpty ? .doubtful : .good, found.first ?? wording.text(.unscheduled),
      found.isEmpty ? wording.text(.scheduleRuns) : nil)
    return [scheduled, loginOnly(own, place), archive == nil ? nil : unreported(own, place)]
      .compactMap(\.self)
  }

  /// Warns if no run starts while the user is logged out.
  private func loginOnly(_ runs: [ScheduledRun], _ place: SchedulePlace) -> Finding? {
    guard !runs.isEmpty, runs.allSatisfy(\.isOfSession), place.endsAtLogout else { return nil }
    return finding(
      .ofSchedule, .doubtful, wording.text(.onlyLoggedIn), wording.text(.enableLinger))
  }

  /// Warns if no notification would report a failed run.
  private func unreported(_ runs: [ScheduledRun], _ place: SchedulePlace) -> Finding? {
    let silent = runs.filter { !$0.notifies(invocation) }
    guard !runs.isEmpty, silent.count == runs.count,
      silent.allSatisfy({ $0.isOfSession || !place.sendsMail })
    else { return nil }
    let detail = wording.text(silent.contains(where: \.isOfSession) ? .onlyJournal : .noMail)
    return finding(.ofSchedule, .doubtful, detail, wording.text(.scheduleNotifies))
  }
}
