/// Names of commands to which other code refers.
enum CommandName {
  static let run = "run"
  static let watch = "watch"
  /// The commands that run sources.
  static let running = [run, watch]
}
