import ArchiverCore

/// The result of one check.
struct Finding: Sendable {
  enum State: String, Sendable {
    case good, doubtful, bad

    var style: Style {
      switch self {
      case .good: .green
      case .doubtful: .yellow
      case .bad: .red
      }
    }
  }

  let subject: String
  let state: State
  let detail: String
  /// The remedy; `nil` if none is needed.
  var remedy: String?

  var line: JSONLine {
    [
      "subject": .string(subject), "state": .string(state.rawValue), "detail": .string(detail),
      "remedy": .text(remedy),
    ]
  }
}
