import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Checks everything that a run depends on.
struct Examination {
  let invocation: Invocation
  let environment: ProcessEnvironment
  let wording: Wording

  /// `wording` is the language of the findings; errors are in English.
  init(_ invocation: Invocation, in wording: Wording) {
    self.invocation = invocation
    environment = invocation.environment
    self.wording = wording
  }

  func findings() async -> [Finding] {
    var findings = [
      Finding(
        subject: wording.text(.ofProgram), state: .good,
        detail: "archiver \(invocation.services.version)"),
      Finding(
        subject: wording.text(.ofLibraries), state: .good,
        detail: invocation.services.libraries().joined(separator: ", ")),
    ]
    findings += passedOver()
    findings.append(pdfLibrary())
    findings += comicLibrary()
    findings.append(pdfProgram())
    findings.append(bookProgram())
    findings.append(djvuPrograms())
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
        Finding(
          subject: wording.text(.ofConfiguration), state: .bad, detail: error.message,
          remedy: wording.text(.mendConfiguration)))
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
      return Finding(
        subject: wording.text(.ofLogins), state: .bad,
        detail: wording.text(isForeign ? .foreignLogin : .openLogin, place),
        remedy: isForeign
          ? wording.text(.removeLogin)
          : wording.text(.closeLogin, "chmod \(right) \(path.shellQuoted)"))
    }
  }

  /// Without it PDFs are kept, without metadata.
  private func pdfLibrary() -> Finding {
    if let version = invocation.services.pdfLibrary() {
      return Finding(subject: "PDF", state: .good, detail: version)
    }
    return Finding(
      subject: "PDF", state: .good,
      detail: wording.text(.pdfUnread), remedy: wording.text(.installPDFLibrary))
  }

  /// Without it PDFs are kept and shown, but not searched.
  private func pdfProgram() -> Finding {
    if let path = invocation.services.pdfProgram(environment) {
      return Finding(subject: "PDF", state: .good, detail: environment.abbreviated(path))
    }
    return Finding(
      subject: "PDF", state: .good,
      detail: wording.text(.pdfUnsearched), remedy: wording.text(.installPDFProgram))
  }

  /// Without it books of these formats are kept, but not converted.
  private func bookProgram() -> Finding {
    if let path = invocation.services.bookProgram(environment) {
      return Finding(subject: "MOBI", state: .good, detail: environment.abbreviated(path))
    }
    return Finding(
      subject: "MOBI", state: .good,
      detail: wording.text(.booksUnread), remedy: wording.text(.installBookProgram))
  }

  /// Without them DjVu documents are kept, but not converted.
  private func djvuPrograms() -> Finding {
    let paths = invocation.services.djvuPrograms(environment)
    guard paths.count < 2 else {
      return Finding(
        subject: "DjVu", state: .good,
        detail: paths.map(environment.abbreviated).joined(separator: ", "))
    }
    return Finding(
      subject: "DjVu", state: .good,
      detail: wording.text(.djvuUnread), remedy: wording.text(.installDjVuPrograms))
  }

  /// Without it comics are kept, but not converted.
  private func comicLibrary() -> [Finding] {
    guard !invocation.services.hasComicLibrary() else { return [] }
    return [
      Finding(
        subject: "CBZ", state: .doubtful, detail: wording.text(.comicsUnread),
        remedy: wording.text(.installComicLibrary))
    ]
  }

  private func passedOver() -> [Finding] {
    invocation.services.shadowed(environment).sorted(by: <).map { name, path in
      Finding(
        subject: name, state: .doubtful,
        detail: wording.text(.shadowed, DisplayText.line(path), name),
        remedy: wording.text(.renameProgram, "archiver-source-my-\(name)"))
    }
  }

  /// The archive is written without one; readers need one.
  private func browser() -> Finding {
    let names = [
      "xdg-open", "firefox", "firefox-esr", "chromium", "google-chrome", "brave-browser",
      "epiphany", "falkon", "w3m", "open",
    ]
    let folders = (environment.variables["PATH"] ?? "").split(separator: ":")
    let found = names.first { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
    return Finding(
      subject: wording.text(.ofBrowser), state: found == nil ? .doubtful : .good,
      detail: found ?? wording.text(.noBrowser),
      remedy: found == nil ? wording.text(.useBrowser) : nil)
  }

  private func configuration(_ settings: RunSettings) -> [Finding] {
    let path = settings.file.map { environment.abbreviated($0.path) }
    var findings = [
      Finding(
        subject: wording.text(.ofConfiguration), state: .good,
        detail: path ?? wording.text(.noFile))
    ]
    findings += settings.resolution.warnings.map {
      Finding(
        subject: wording.text(.ofConfiguration), state: .doubtful, detail: $0,
        remedy: wording.text(.mendWarning))
    }
    if settings.configured.isEmpty {
      findings.append(
        Finding(
          subject: wording.text(.ofConfiguration), state: .bad, detail: wording.text(.noSource),
          remedy: settings.resolution.sources.first?.remedy()?.message ?? wording.text(.seeSources))
      )
    }
    for source in settings.resolution.sources {
      guard let problem = source.kind.problem else { continue }
      findings.append(
        Finding(
          subject: source.name, state: .bad, detail: problem,
          remedy: wording.text(.mendProgram, source.kind.program ?? source.name)))
    }
    return findings
  }

  private func sources(_ settings: RunSettings) async -> [Finding] {
    guard let hosts = try? settings.allowedHosts() else {
      return [
        Finding(
          subject: wording.text(.ofConfiguration), state: .bad, detail: wording.text(.badHosts),
          remedy: wording.text(.writeHosts))
      ]
    }
    let opener = SourceOpener(
      services: invocation.services, environment: environment, allowedHosts: hosts, jobs: 1,
      events: SilentEventSink(),
      contact: settings.file?.contact)
    var findings: [Finding] = []
    for source in settings.configured where source.kind.problem == nil {
      do {
        let opened = try opener.open(source)
        if let origin = opened.origin {
          findings += await reach(source.name, origin, opener.probe([opened]))
        } else {
          findings.append(
            Finding(subject: source.name, state: .good, detail: wording.text(.noServer)))
        }
      } catch {
        findings.append(
          Finding(
            subject: source.name, state: .bad, detail: ErrorText.message(error),
            remedy: wording.text(.seeSources)))
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
      return [
        Finding(
          subject: name, state: .good,
          detail: wording.text(.answers, "\(origin)"))
      ] + clock(response)
    } catch {
      return [
        Finding(
          subject: name, state: .bad, detail: error.message,
          remedy: wording.text(.tryServer, "curl -I \(url.absoluteString)"))
      ]
    }
  }

  /// Compares the clock with the server's `Date` (RFC 9110 section 6.6.1).
  private func clock(_ response: HTTPResponse) -> [Finding] {
    guard let server = response.headers.date else { return [] }
    let difference = environment.clock.now().timeIntervalSince(server)
    if abs(difference) < 300 { return [] }
    let words = wording.time(.seconds(abs(difference)))
    return [
      Finding(
        subject: wording.text(.ofClock), state: .doubtful,
        detail: wording.text(difference > 0 ? .clockAhead : .clockBehind, words),
        remedy: wording.text(.setClock))
    ]
  }

  private func history(_ settings: RunSettings) -> [Finding] {
    let statuses: [SourceStatus]
    do {
      statuses = try invocation.services.catalog(settings.archive)?.sources() ?? []
    } catch {
      return [
        Finding(
          subject: wording.text(.ofCatalog), state: .bad, detail: ErrorText.message(error),
          remedy: wording.text(.verifyCatalog))
      ]
    }
    return statuses.compactMap { status in
      guard let since = status.failingSince else { return nil }
      return Finding(
        subject: status.source, state: .bad,
        detail: wording.text(
          .unreachedSince, Quantity.day(since), status.lastRun?.failure ?? ""),
        remedy: wording.text(.checkConfig))
    }
  }

  /// Without an archive, as while the configuration has errors, any schedule counts.
  private func schedule(of archive: String?) -> [Finding] {
    let place = SchedulePlace(environment, run: invocation.services.runCommand)
    // If the query fails, nothing counts as installed.
    let found = (try? place.installed()) ?? []
    let runs = place.runs()
    let subject = wording.text(.ofSchedule)
    let own = runs.filter { run in archive.map { run.writes(to: $0, invocation) } ?? true }
    if !runs.isEmpty, own.isEmpty {
      return [
        Finding(
          subject: subject, state: .doubtful, detail: wording.text(.scheduledForOthers),
          remedy: wording.text(.showSchedule))
      ]
    }
    let scheduled = Finding(
      subject: subject, state: found.isEmpty ? .doubtful : .good,
      detail: found.first ?? wording.text(.unscheduled),
      remedy: found.isEmpty ? wording.text(.scheduleRuns) : nil)
    return [scheduled] + loginOnly(own, place) + (archive == nil ? [] : unreported(own, place))
  }

  /// Says that nothing starts while the user is logged out.
  private func loginOnly(_ runs: [ScheduledRun], _ place: SchedulePlace) -> [Finding] {
    guard !runs.isEmpty, runs.allSatisfy(\.isOfSession), place.endsAtLogout else { return [] }
    return [
      Finding(
        subject: wording.text(.ofSchedule), state: .doubtful, detail: wording.text(.onlyLoggedIn),
        remedy: wording.text(.enableLinger))
    ]
  }

  /// Says that a bad night would be told by nothing.
  private func unreported(_ runs: [ScheduledRun], _ place: SchedulePlace) -> [Finding] {
    let silent = runs.filter { !$0.notifies(invocation) }
    guard !runs.isEmpty, silent.count == runs.count,
      silent.allSatisfy({ $0.isOfSession || !place.sendsMail })
    else { return [] }
    let detail = wording.text(silent.contains(where: \.isOfSession) ? .onlyJournal : .noMail)
    return [
      Finding(
        subject: wording.text(.ofSchedule), state: .doubtful, detail: detail,
        remedy: wording.text(.scheduleNotifies))
    ]
  }
}
