/// Names of commands that more than the commands themselves need.
enum CommandName {
  static let run = "run"
  static let watch = "watch"
  /// The commands that run sources.
  static let running = [run, watch]
}
