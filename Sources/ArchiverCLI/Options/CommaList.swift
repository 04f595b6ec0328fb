/// Lists in environment variables: texts separated by commas, white space around them dropped.
enum CommaList {
  static func split(_ text: String) -> [String] {
    text.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
  }
}
