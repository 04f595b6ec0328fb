import ArchiverCLI

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@main
struct Main {
  static func main() async {
    if let code = CommandLineTool.answerAsChild(CommandLine.arguments) { exit(code) }
    let tool = CommandLineTool(environment: .current(), services: .live)
    let work = Task { await tool.run() }
    let interruption = Interruption { work.cancel() }
    let code = await work.value
    withExtendedLifetime(interruption) {}
    exit(code.rawValue)
  }
}
