import ArchiverCLI

@main
struct Main {
  static func main() async {
    if let code = CommandLineTool.answerAsChild(CommandLine.arguments) { ProcessEnd.leave(code) }
    ProcessResources.prepare()
    ProcessEnd.tellCrashes()
    ProcessResources.requireSystem()
    let tool = CommandLineTool(environment: .current(), services: .live)
    // While this is the only thread: the sandbox binds it and those to come.
    let command = tool.prepare()
    let work = Task { await command() }
    let interruption = Interruption { work.cancel() }
    let code = await work.value
    withExtendedLifetime(interruption) {}
    ProcessEnd.leave(code.rawValue)
  }
}
