import ArchiverCore
import ArchiverPipeline
import ArchiverStorage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Looks at everything that a run depends on.
struct Examination {
  private let invocation: Invocation
  private let environment: ProcessEnvironment

  init(_ invocation: Invocation) {
    self.invocation = invocation
    environment = invocation.environment
  }

  func findings() async -> [Finding] {
    var findings = [
      Finding(
        subject: "program", state: .good,
        detail: "archiver \(invocation.services.version)"),
      Finding(
        subject: "libraries", state: .good,
        detail: invocation.services.libraries().joined(separator: ", ")),
    ]
    findings += passedOver()
    findings.append(pdfLibrary())
    do throws(UsageError) {
      let settings = try RunSettings(invocation)
      findings += configuration(settings)
      findings += logins(settings)
      findings += archive(settings)
      findings += await sources(settings)
      findings += history(settings)
    } catch {
      findings.append(
        Finding(
          subject: "configuration", state: .bad, detail: error.message,
          remedy: "Mend what it names, then run 'archiver doctor' again."))
    }
    return findings + [browser(), schedule()]
  }

  /// A stored login holds a token: nobody but its owner reads the file or changes what is in its
  /// folder.
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
        subject: "logins", state: .bad,
        detail: isForeign
          ? "\(place) belongs to someone else" : "\(place) can be read or changed by others",
        remedy: isForeign
          ? "Remove it, then run 'archiver login' again."
          : "Run 'chmod \(right) \(path.shellQuoted)'; where others may have read it, log in anew.")
    }
  }

  /// Without it PDFs are kept all the same.
  private func pdfLibrary() -> Finding {
    if let version = invocation.services.pdfLibrary() {
      return Finding(subject: "PDF", state: .good, detail: version)
    }
    return Finding(
      subject: "PDF", state: .good,
      detail: "libqpdf is not installed: page counts and titles of PDFs are not read",
      remedy: "Install it to have them: apt-get install libqpdf29 (or 28, 30), brew install qpdf.")
  }

  private func passedOver() -> [Finding] {
    invocation.services.shadowed(environment).sorted(by: <).map { name, path in
      Finding(
        subject: name, state: .doubtful, detail: ShadowedProgram(name: name, path: path).message,
        remedy: "Rename the program: archiver-source-my-\(name), for example.")
    }
  }

  /// The archive needs none to be written, people need one to read it.
  private func browser() -> Finding {
    let names = [
      "xdg-open", "firefox", "firefox-esr", "chromium", "google-chrome", "brave-browser",
      "epiphany", "falkon", "w3m", "open",
    ]
    let folders = (environment.variables["PATH"] ?? "").split(separator: ":")
    let found = names.first { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
    return Finding(
      subject: "browser", state: found == nil ? .doubtful : .good,
      detail: found ?? "none on this machine",
      remedy: found == nil
        ? "Nothing is wrong with the archive: open its index.html on a machine that has one, or "
          + "serve the folder with any web server." : nil)
  }

  private func configuration(_ settings: RunSettings) -> [Finding] {
    let path = settings.file.map { environment.abbreviated($0.path) }
    var findings = [
      Finding(
        subject: "configuration", state: .good,
        detail: path ?? "no file; environment and logins only")
    ]
    findings += settings.resolution.warnings.map {
      Finding(
        subject: "configuration", state: .doubtful, detail: $0,
        remedy: "Mend it; until then the source is run without what is named.")
    }
    if settings.configured.isEmpty {
      findings.append(
        Finding(
          subject: "configuration", state: .bad, detail: "no source is configured",
          remedy: settings.resolution.sources.first?.remedy()?.message ?? "See 'archiver sources'.")
      )
    }
    for source in settings.resolution.sources {
      guard let problem = source.kind.problem else { continue }
      findings.append(
        Finding(
          subject: source.name, state: .bad, detail: problem,
          remedy: "Mend or remove \(source.kind.program ?? "the program")."))
    }
    return findings
  }

  private func archive(_ settings: RunSettings) -> [Finding] {
    let path = settings.archive
    let shown = environment.abbreviated(path)
    // The nearest folder that is there decides whether and where it can be made.
    var folder = path
    while !FileManager.default.fileExists(atPath: folder), folder.count > 1 {
      folder = "/" + folder.split(separator: "/").dropLast().joined(separator: "/")
    }
    guard access(folder, W_OK | X_OK) == 0 else {
      return [
        Finding(
          subject: "archive", state: .bad, detail: "\(shown) cannot be written",
          remedy: "Give yourself the right to write to \(environment.abbreviated(folder)), or "
            + "choose another folder with --archive.")
      ]
    }
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return [] }
    let free = Int(status.f_bavail) * Int(status.f_frsize)
    let isScarce = free < 1_000_000_000
    let place = folder == path ? shown : "\(shown), made by the first run"
    return [
      Finding(
        subject: "archive", state: isScarce ? .doubtful : .good,
        detail: "\(place); \(Quantity.bytes(free)) free",
        remedy: isScarce ? "Make room: a run stops when less than 100 MB are free." : nil)
    ]
  }

  private func sources(_ settings: RunSettings) async -> [Finding] {
    guard let hosts = try? settings.allowedHosts() else {
      return [
        Finding(
          subject: "configuration", state: .bad, detail: "allowHosts names no host",
          remedy: "Write HOST or HOST:PORT.")
      ]
    }
    let opener = SourceOpener(
      services: invocation.services, environment: environment, allowedHosts: hosts, jobs: 1,
      events: SilentEventSink())
    var findings: [Finding] = []
    for source in settings.configured where source.kind.problem == nil {
      do {
        let opened = try opener.open(source)
        if let origin = opened.origin {
          findings += await reach(source.name, origin, opener.probe([opened]))
        } else {
          findings.append(
            Finding(subject: source.name, state: .good, detail: "has no server of its own"))
        }
      } catch {
        findings.append(
          Finding(
            subject: source.name, state: .bad, detail: ErrorText.message(error),
            remedy: "See 'archiver sources'."))
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
          detail: "\(origin) answers; 'archiver config check' tries the login")
      ] + clock(response)
    } catch {
      return [
        Finding(
          subject: name, state: .bad, detail: error.message,
          remedy: "Is the network up, the address right, the server running? From here try: "
            + "curl -I \(url.absoluteString)")
      ]
    }
  }

  /// Compares the clock with the server's `Date` (RFC 9110 section 6.6.1).
  private func clock(_ response: HTTPResponse) -> [Finding] {
    guard let text = response.headers["Date"], let server = Examination.date(text) else {
      return []
    }
    let difference = environment.clock.now().timeIntervalSince(server)
    if abs(difference) < 300 { return [] }
    let words = Quantity.time(.seconds(abs(difference)))
    return [
      Finding(
        subject: "clock", state: .doubtful,
        detail: "this machine is \(words) \(difference > 0 ? "ahead of" : "behind") the server",
        remedy: "Set the clock, for example with: timedatectl set-ntp true")
    ]
  }

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: String) -> Date? {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let words = text.split(separator: " ")
    guard words.count == 6, let month = months.firstIndex(of: String(words[2])) else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    // A date in another form proves nothing about the clock.
    return try? Date.ISO8601FormatStyle().parse("\(words[3])-\(number)-\(words[1])T\(words[4])Z")
  }

  private func history(_ settings: RunSettings) -> [Finding] {
    let statuses: [SourceStatus]
    do {
      statuses = try invocation.services.catalog(settings.archive)?.sources() ?? []
    } catch {
      return [
        Finding(
          subject: "catalog", state: .bad, detail: ErrorText.message(error),
          remedy: "Run 'archiver verify'; it says what is damaged.")
      ]
    }
    return statuses.compactMap { status in
      guard let since = status.failingSince else { return nil }
      return Finding(
        subject: status.source, state: .bad,
        detail:
          "no run has reached it since \(Quantity.day(since)): \(status.lastRun?.failure ?? "")",
        remedy: "Run 'archiver config check'.")
    }
  }

  private func schedule() -> Finding {
    let place = SchedulePlace(environment, run: invocation.services.runCommand)
    // What cannot be asked is not there.
    let found = (try? place.installed()) ?? []
    return Finding(
      subject: "schedule", state: found.isEmpty ? .doubtful : .good,
      detail: found.first ?? "no runs are scheduled",
      remedy: found.isEmpty ? "Run 'archiver schedule install --at 03:30'." : nil)
  }
}
