enum ExportCommand {
  static let command = Command("export", summary: "x")
}
