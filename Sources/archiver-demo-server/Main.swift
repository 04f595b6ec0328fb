import ArchiverCore
import ArchiverTestKit

@main
struct Main {
  static func main() {
    do {
      let options = try DemoOptions(Array(CommandLine.arguments.dropFirst()))
      if options.wantsHelp {
        Lifetime.write(DemoOptions.usage, to: 1)
        return
      }
      try serve(options)
    } catch let error as DemoOptions.Failure {
      Lifetime.write("archiver-demo-server: \(error.message)\n\(DemoOptions.usage)", to: 2)
      exit(2)
    } catch {
      Lifetime.write("archiver-demo-server: \(error)\n", to: 2)
      exit(1)
    }
  }

  private static func serve(_ options: DemoOptions) throws {
    guard !Album.pictures.isEmpty else {
      throw DemoOptions.Failure(message: "\(Album.folder) has no pictures")
    }
    Lifetime.obeySignals()
    let readeck = DemoReadeck(ReadingList.articles, token: options.token)
    let server = try LoopbackServer(handler: readeck.handle, port: options.port)
    let line = "READECK_URL=http://127.0.0.1:\(server.port) READECK_TOKEN=\(options.token)\n"
    if let file = options.stateFile {
      try Data(line.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    }
    Lifetime.write(line, to: 1)
    Lifetime.wait()
    server.stop()
  }
}
