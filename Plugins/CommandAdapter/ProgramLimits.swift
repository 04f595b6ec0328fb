/// Bounds on what a program may do; the defaults are those of the product.
package struct ProgramLimits: Sendable {
  /// Bytes of one line it prints, and of one file it hands over.
  package var lineBytes = 64_000_000
  package var fileBytes = 512_000_000
  /// Bytes it may print in answer to one request.
  package var answerBytes = 1_000_000_000
  /// The maximum silence while a request is open; every line printed restarts it.
  package var silence = Duration.seconds(300)
  /// How long it may say that it is at work without an answer or a higher count.
  package var standstill = Duration.seconds(3600)
  /// How long describing itself may take.
  package var description = Duration.seconds(10)
  /// How long it may be silent while it gets ready; one that logs in may say `progress` meanwhile.
  package var opening = Duration.seconds(30)
  /// How long it may go on after its standard input was closed.
  package var patience = Duration.seconds(2)
  /// Lines of standard error that are shown for one process.
  package var errorLines = 200

  package init() {}
}
