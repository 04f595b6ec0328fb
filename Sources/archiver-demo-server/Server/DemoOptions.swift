/// What the command line asks for.
struct DemoOptions {
  struct Failure: Error {
    let message: String
  }

  static let usage = """
    usage: archiver-demo-server [--port N] [--token T] [--state-file FILE]

    Serves an invented reading list as a Readeck on 127.0.0.1, for trying archiver out.
    Prints one line, READECK_URL=… READECK_TOKEN=…, when it is ready, and writes the same
    line to FILE. Ends on SIGTERM or SIGINT, when the process that started it is gone, and,
    if standard input is a pipe, when that is closed.

    """

  /// 0 lets the system choose.
  var port = 0
  var token = "demo"
  var stateFile: String?
  var wantsHelp = false

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      if name == "--help" || name == "-h" {
        wantsHelp = true
        continue
      }
      guard ["--port", "--token", "--state-file"].contains(name) else {
        throw Failure(message: "unknown option \(name)")
      }
      guard let value = rest.popFirst(), !value.isEmpty else {
        throw Failure(message: "\(name) needs a value")
      }
      try set(name, value)
    }
  }

  private mutating func set(_ name: String, _ value: String) throws(Failure) {
    switch name {
    case "--token": token = value
    case "--state-file": stateFile = value
    default:
      guard let number = Int(value), (0...65535).contains(number) else {
        throw Failure(message: "--port takes a number from 0 to 65535, not \(value)")
      }
      port = number
    }
  }
}
