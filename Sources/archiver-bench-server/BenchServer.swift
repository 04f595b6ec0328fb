import ArchiverCore
import ArchiverTestKit

/// Serves a synthetic Readeck of any size for `Scripts/bench`.
///
///     archiver-bench-server --items 200 --images 14 --bytes 101000 [--words N] --files DIR [--port N]
///
/// Writes every picture and article below DIR as a web server in front is to serve it, and their
/// paths, one a line, to `DIR/urls`. Prints its port and serves until standard input ends; a line
/// `add N` there makes N new articles with 14 pictures each and is answered with `added`.
@main
struct BenchServer {
  static func main() {
    do {
      try serve()
    } catch {
      let line = Array("archiver-bench-server: \(error)\n".utf8)
      _ = write(2, line, line.count)
      exit(1)
    }
  }

  private static func serve() throws {
    var options = BenchOptions(CommandLine.arguments.dropFirst())
    let readeck = FakeReadeck()
    readeck.behaviour.token = "bench"
    var paths: [String] = []
    for number in 0..<options.items {
      let article = BenchArticle(number: number, options: options)
      paths += try article.write()
      readeck.add(article.bookmark)
    }
    let list = paths.joined(separator: "\n") + "\n"
    try Data(list.utf8).write(to: URL(filePath: "\(options.files)/urls"))
    let server = try LoopbackServer(handler: { readeck.handle($0) }, port: options.port)
    print(server.port)
    fflush(nil)
    options.images = 14
    while let line = readLine() {
      guard line.hasPrefix("add "), let count = Int(line.dropFirst(4)) else { continue }
      for number in options.items..<options.items + count {
        let article = BenchArticle(number: number, options: options)
        _ = try article.write()
        readeck.add(article.bookmark)
      }
      options.items += count
      print("added")
      fflush(nil)
    }
    server.stop()
  }
}

/// What the command line asks for.
struct BenchOptions {
  var items = 200
  var images = 14
  var bytes = 101_000
  /// Words of an article beside those around its pictures.
  var words = 0
  var port = 0
  var files = "."

  init(_ arguments: some Sequence<String>) {
    var iterator = arguments.makeIterator()
    while let name = iterator.next(), let value = iterator.next() {
      switch name {
      case "--items": items = Int(value) ?? items
      case "--images": images = Int(value) ?? images
      case "--bytes": bytes = Int(value) ?? bytes
      case "--words": words = Int(value) ?? words
      case "--port": port = Int(value) ?? port
      case "--files": files = value
      default: break
      }
    }
  }
}
