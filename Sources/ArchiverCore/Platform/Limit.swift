/// A limit on what untrusted input can make a run do. The user can set it: `limits: { imageSize:
/// "64M" }`.
///
/// Exceeding it fails with an error that names the setting. Limits that are not a case here are
/// fixed, and their errors say so.
package enum Limit: String, Sendable, CaseIterable {
  case imageSize, fileSize, unannouncedSize, imageTime, attempts
  case htmlSize, htmlElements, images
  case bookSize, bookTextSize, bookFileSize, bookRatio, bookEntries, bookPages
  /// Exceeding this one is not an error: the rest is not indexed.
  case searchedText

  package enum Unit: Sendable {
    case bytes, seconds, count
  }

  package var unit: Unit { spec.unit }

  /// The default value, in the limit's unit.
  package var standard: Int { spec.standard }

  /// The range of values. The maxima are what the parsers tolerate in memory and time.
  package var range: ClosedRange<Int> { spec.range }

  /// What the limit applies to, as a noun phrase.
  package var help: String { spec.help }

  private var spec: (unit: Unit, standard: Int, range: ClosedRange<Int>, help: String) {
    let sizes = 1_000...10_000_000_000_000
    return switch self {
    case .imageSize: (.bytes, 64_000_000, sizes, "Maximum size of one image")
    case .fileSize: (.bytes, 8_000_000_000, sizes, "Maximum size of one attached file or book")
    case .unannouncedSize:
      (
        .bytes, 1_000_000_000, sizes,
        "Maximum size of one file whose length the server does not declare"
      )
    case .imageTime: (.seconds, 300, 1...86_400, "Maximum time for one image")
    case .attempts:
      (.count, 10, 1...1_000, "Failed attempts after which an item is given up until it changes")
    case .htmlSize:
      (.bytes, 20_000_000, 1_000...500_000_000, "Maximum size of the HTML of one item")
    case .htmlElements:
      (.count, 2_000_000, 100...100_000_000, "Maximum number of elements in that HTML")
    case .images: (.count, 10_000, 1...1_000_000, "Maximum number of images in that HTML")
    case .bookSize: (.bytes, 2_000_000_000, sizes, "Maximum unpacked size of one book")
    case .bookTextSize:
      (.bytes, 16_000_000, 1_000...64_000_000, "Maximum size of one page or other text in a book")
    case .bookFileSize:
      (
        .bytes, 512_000_000, sizes,
        "Maximum size of one image, font, audio or video file in a book"
      )
    case .bookRatio: (.count, 200, 2...1_000_000, "Maximum expansion ratio of a file in a book")
    case .bookEntries: (.count, 10_000, 1...1_000_000, "Maximum number of files in one book")
    case .bookPages: (.count, 5_000, 1...1_000_000, "Maximum number of pages in one book")
    case .searchedText:
      (
        .bytes, 4_000_000, 1_000...64_000_000,
        "Maximum size of the searched text of one book or PDF"
      )
    }
  }

  /// The name of the setting in messages: "limits.imageSize".
  package var key: String { "limits." + rawValue }

  /// Returns a value as in the configuration: "64M", "5m", "10000".
  package func text(_ value: Int) -> String {
    switch unit {
    case .bytes:
      Limit.scaled(
        value, [(1_000_000_000_000, "T"), (1_000_000_000, "G"), (1_000_000, "M"), (1_000, "K")])
    case .seconds: Limit.scaled(value, [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")])
    case .count: String(value)
    }
  }

  /// Returns the end of a sentence about input that exceeded the limit: "(limits.imageSize is
  /// 64M)".
  package func note(_ value: Int) -> String { "(\(key) is \(text(value)))" }

  /// Returns the end of a sentence about a fixed limit on a size: "(64M, a fixed limit)".
  package static func fixed(bytes: Int) -> String {
    "(\(Limit.imageSize.text(bytes)), a fixed limit)"
  }

  /// Returns the end of a sentence about a fixed limit on a count: "(1000, a fixed limit)".
  package static func fixed(_ count: Int) -> String { "(\(count), a fixed limit)" }

  private static func scaled(_ value: Int, _ units: [(size: Int, name: String)]) -> String {
    guard value > 0, let unit = units.first(where: { value.isMultiple(of: $0.size) }) else {
      return String(value)
    }
    return "\(value / unit.size)\(unit.name)"
  }
}

/// The value of every `Limit`; its default unless set.
package struct Limits: Sendable, Hashable {
  private var values: [Limit: Int] = [:]

  package init() {}

  /// The value in the limit's unit; not checked against its range.
  package subscript(limit: Limit) -> Int {
    get { values[limit] ?? limit.standard }
    set { values[limit] = newValue }
  }

  /// The limits that differ from their defaults, in the order of `Limit`.
  package var changed: [Limit] { Limit.allCases.filter { self[$0] != $0.standard } }

  /// The maximum of every limit, for content that a run has accepted before, whatever its limits
  /// were.
  package static let widest: Limits = {
    var limits = Limits()
    for limit in Limit.allCases { limits[limit] = limit.range.upperBound }
    return limits
  }()
}
