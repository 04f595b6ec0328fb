import ArchiverCore

/// A systemd timer and service for one user.
struct SystemdUnits: Sendable {
  /// The program of the service.
  let program: String
  let arguments: [String]
  /// The variables that the service sets.
  var variables: [(name: String, value: String)] = []
  let schedule: RunSchedule
  /// Directories that the service may write to; the rest below home is read-only.
  let writable: [String]
  /// The archive, whose mount must exist before the service starts.
  var archive: String?
  /// The command of `--notify`, for failures that a run could not report.
  var notify: String?
  /// The umask of the service. With a stricter one than that of manual runs, a web server could not
  /// read the part of the library that the timer writes.
  var mask: mode_t = 0o077

  /// The umask of this process.
  static var currentMask: mode_t {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }

  static let name = "archiver"
  /// The template unit that reports a failed service. Its instance name, after the `@`, is the service's name.
  static let failureUnit = "archiver-failed@"

  /// All units, each after its name, for `--print`.
  var printed: String {
    var text = "# archiver.timer\n\(timer)\n# archiver.service\n\(service)"
    if let failureService { text += "\n# \(SystemdUnits.failureUnit).service\n\(failureService)" }
    return text
  }

  /// The timer. A missed run is made up when the machine is next on (`Persistent=`).
  var timer: String {
    """
    # Written by 'archiver schedule install'; 'archiver schedule remove' removes it.
    [Unit]
    Description=Archive what is new, \(schedule.words(in: .english))

    [Timer]
    OnCalendar=\(schedule.calendar)
    Persistent=true
    RandomizedDelaySec=2min

    [Install]
    WantedBy=timers.target

    """
  }

  /// Uses only settings that an unprivileged user's service manager supports.
  ///
  /// Settings that drop capabilities (`ProtectKernelModules=`, `ProtectClock=`, `PrivateDevices=`,
  /// `CapabilityBoundingSet=`) end such a service with 218/CAPABILITIES before it starts, as does
  /// `PrivateUsers=` where user namespaces are disabled. The manager ignores settings that need
  /// mounts if it may not mount. Regular expressions are compiled to machine code, which excludes
  /// `MemoryDenyWriteExecute=`.
  var service: String {
    let command = ([program] + arguments).map(SystemdUnits.quoted).joined(separator: " ")
    let unit = notify.map { _ in [(name: SystemdUnits.failureVariable, value: "1")] } ?? []
    let settings = (variables + unit).map {
      "Environment=" + SystemdUnits.quotedValue("\($0.name)=\($0.value)") + "\n"
    }
    let paths = writable.map { "ReadWritePaths=-\(SystemdUnits.quotedValue($0))" }
    let mask = String(mask & 0o777, radix: 8)
    return """
      # Written by 'archiver schedule install'; 'archiver schedule remove' removes it.
      [Unit]
      Description=Archive what is new
      Documentation=man:archiver(1)
      \(relations.map { $0 + "\n" }.joined())
      [Service]
      Type=oneshot
      \(settings.joined())ExecStart=\(command)
      # A second run at work on the archive is no failure.
      SuccessExitStatus=5
      Nice=15
      IOSchedulingClass=idle
      UMask=\(String(repeating: "0", count: 4 - mask.count) + mask)
      NoNewPrivileges=true
      ProtectSystem=strict
      ProtectHome=read-only
      \(paths.joined(separator: "\n"))
      PrivateTmp=true
      ProtectKernelTunables=true
      ProtectControlGroups=true
      ProtectHostname=true
      ProtectProc=invisible
      RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
      RestrictNamespaces=true
      RestrictRealtime=true
      RestrictSUIDSGID=true
      LockPersonality=true
      LimitCORE=0
      SystemCallArchitectures=native
      SystemCallFilter=@system-service
      # What the program takes rights from itself with, which not every systemd counts among them.
      SystemCallFilter=landlock_create_ruleset landlock_add_rule landlock_restrict_self
      SystemCallErrorNumber=EPERM

      """
  }

  /// The units for which the service waits, and the unit that its failure starts.
  private var relations: [String] {
    let mount = archive.map { "RequiresMountsFor=\(SystemdUnits.quotedValue($0))" }
    let failure = notify.map { _ in "OnFailure=\(SystemdUnits.failureUnit)%n.service" }
    return [mount, failure].compactMap(\.self)
  }

  /// The variable that names the failure unit to a run. The unit then runs the command for exit
  /// code 2, which means that the settings, and with them the command of `--notify`, cannot be
  /// read.
  static let failureVariable = "ARCHIVER_FAILURE_UNIT"

  /// The unit that runs the command of `--notify` for a service that failed without notifying: it
  /// was killed, could not be started, or could not use its settings. `nil` if no command is set;
  /// the failure is in the journal anyway.
  ///
  /// A run that notified exits with 1, 3, 4, 70 or 130. Unlike the run, this unit may gain privileges,
  /// which a local `sendmail` needs.
  var failureService: String? {
    guard let notify else { return nil }
    let summary =
      "The run ended without a report ($MONITOR_SERVICE_RESULT, $MONITOR_EXIT_STATUS); "
      + "journalctl --user -u $1 says more"
    let mistake =
      "The settings of the run are wrong; journalctl --user -u $1 says which, and so does "
      + "archiver config check"
    let script =
      "summary=\"\(summary)\"; "
      + "case \"$MONITOR_EXIT_CODE $MONITOR_EXIT_STATUS\" in "
      + "\"exited 1\"|\"exited 3\"|\"exited 4\"|\"exited 70\"|\"exited 130\") exit 0 ;; "
      + "\"exited 2\") summary=\"\(mistake)\" ;; esac; "
      + "export ARCHIVER_SUMMARY=\"$summary\" ARCHIVER_EXIT_CODE=\"$MONITOR_EXIT_STATUS\"; "
      + "printf \"%s\\n\" \"$ARCHIVER_SUMMARY\" | /bin/sh -c \"$ARCHIVER_NOTIFY\""
    let command = ["/bin/sh", "-c", script, "sh"].map(SystemdUnits.quoted).joined(separator: " ")
    let settings = variables.filter { $0.name == "PATH" } + [("ARCHIVER_NOTIFY", notify)]
    let environment = settings.map {
      "Environment=" + SystemdUnits.quotedValue("\($0.0)=\($0.1)") + "\n"
    }
    return """
      # Written by 'archiver schedule install'; 'archiver schedule remove' removes it.
      [Unit]
      Description=Tell that %i failed
      Documentation=man:archiver(1)

      [Service]
      Type=oneshot
      \(environment.joined())ExecStart=\(command) %i

      """
  }

  /// Quotes a word for systemd.service(5): percent signs and dollars are doubled, with quotes if
  /// there is white space or a quote.
  static func quoted(_ word: String) -> String {
    quotedValue(word.replacingScalars("$", with: "$$"))
  }

  /// Quotes a word for a context without variable expansion, so that dollars stay.
  private static func quotedValue(_ word: String) -> String {
    var text = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "%": text += "%%"
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      default: text.unicodeScalars.append(scalar)
      }
    }
    let isPlain =
      !text.isEmpty
      && !text.unicodeScalars.contains {
        $0.properties.isWhitespace || "\"'\\;#".unicodeScalars.contains($0)
      }
    return isPlain ? text : "\"\(text)\""
  }
}
