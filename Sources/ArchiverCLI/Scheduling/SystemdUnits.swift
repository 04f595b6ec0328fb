import ArchiverCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A timer and a service of systemd for one user.
struct SystemdUnits: Sendable {
  /// What the service runs.
  let program: String
  let arguments: [String]
  /// What the service sets for it.
  var variables: [(name: String, value: String)] = []
  let schedule: RunSchedule
  /// Folders that the service may write to; all else below home is read-only to it.
  let writable: [String]
  /// What is kept from others of the files that it makes. A library of which the timer makes a part
  /// that nobody may read, unlike what was made by hand, is none that a web server can deliver.
  var mask: mode_t = 0o077

  /// The mask of this process.
  static var currentMask: mode_t {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }

  static let name = "archiver"

  /// A night that was missed is made up for as soon as the machine is on (`Persistent=`).
  var timer: String {
    """
    # Written by 'archiver schedule install'; 'archiver schedule remove' takes it away.
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

  /// Only what a user's own service manager takes without privileges is asked for.
  ///
  /// What takes capabilities away (`ProtectKernelModules=`, `ProtectClock=`, `PrivateDevices=`,
  /// `CapabilityBoundingSet=`) ends such a service with 218/CAPABILITIES before it starts, and
  /// `PrivateUsers=` where user namespaces are closed to users. What is done by mounts is left out
  /// by the manager where it may not mount. Regular expressions are compiled to machine code,
  /// which rules out `MemoryDenyWriteExecute=`.
  var service: String {
    let command = ([program] + arguments).map(SystemdUnits.quoted).joined(separator: " ")
    let settings = variables.map {
      "Environment=" + SystemdUnits.quotedValue("\($0.name)=\($0.value)") + "\n"
    }
    let paths = writable.map { "ReadWritePaths=-\(SystemdUnits.quotedValue($0))" }
    let mask = String(mask & 0o777, radix: 8)
    return """
      # Written by 'archiver schedule install'; 'archiver schedule remove' takes it away.
      [Unit]
      Description=Archive what is new
      Documentation=man:archiver(1)

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

  /// A word as systemd.service(5) reads it: percent signs and dollars doubled, in quotes where
  /// there is white space or a quote.
  static func quoted(_ word: String) -> String {
    quotedValue(word.replacingScalars("$", with: "$$"))
  }

  /// A word where variables are not filled in, so that dollars stay as they are.
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
