@testable import ArchiverMarkup

/// Returns the sides of each line `input => output` of a table; `⏎` is a line feed.
func sides(of table: String) -> [(String, String)] {
  lines(of: table).map { line in
    let parts = line.split(separator: " =>", maxSplits: 1)
    return (String(parts[0]), parts.count > 1 ? String(parts[1].dropFirst()) : "")
  }
}

/// Returns the lines of a table; `⏎` is a line feed.
func lines(of table: String) -> [String] {
  table.split(separator: "\n").map { String($0).replacing("⏎", with: "\n") }
}

/// Returns the content of the `math` element of a LaTeX formula; `nil` if it is not supported.
func mathContent(_ source: String) -> String? {
  var html = HTMLWriter()
  guard MathMLWriter.write(source, isBlock: false, to: &html) else { return nil }
  let text = String(decoding: html.bytes, as: UTF8.self)
  guard let start = text.firstIndex(of: ">") else { return nil }
  return String(text[text.index(after: start)...].dropLast("</math>".count))
}
