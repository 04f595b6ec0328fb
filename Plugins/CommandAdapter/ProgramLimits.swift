/// Limits on a source program. The defaults are those of archiver.
package struct ProgramLimits: Sendable {
  /// The maximum size in bytes of a line of output and of a file.
  package var lineBytes = 64_000_000
  package var fileBytes = 512_000_000
  /// The maximum number of bytes printed for one request.
  package var answerBytes = 1_000_000_000
  /// The maximum silence while a request is open; every line printed restarts it.
  package var silence = Duration.seconds(300)
  /// The maximum duration of progress messages without a reply or a higher count.
  package var standstill = Duration.seconds(3600)
  /// The timeout of a program's description.
  package var description = Duration.seconds(10)
  /// The maximum silence while a program gets ready; one that logs in may print `progress`
  /// meanwhile.
  package var opening = Duration.seconds(30)
  /// The maximum time that a program may run after its standard input was closed.
  package var patience = Duration.seconds(2)
  /// The maximum number of lines of standard error shown per process.
  package var errorLines = 200

  package init() {}
}
