import ArchiverCore
import ArchiverMarkup

/// A part of an audio file, in seconds.
struct SoundClip: Equatable {
  var begin = 0.0
  /// `nil` for the end of the file.
  var end: Double?

  /// Returns the part from the start of the earlier clip to the end of the later one.
  func joined(_ other: SoundClip) -> SoundClip {
    let end = end.flatMap { end in other.end.map { max(end, $0) } }
    return SoundClip(begin: min(begin, other.begin), end: end)
  }

  /// The fragment that makes players play this part (Media Fragments URI 4.2.1); empty for a whole
  /// file.
  var fragment: String {
    let start = SoundClip.text(begin)
    if let end, end > begin { return "#t=\(start),\(SoundClip.text(end))" }
    return begin > 0 ? "#t=\(start)" : ""
  }

  private static func text(_ seconds: Double) -> String {
    let thousandths = Int((seconds * 1000).rounded())
    let rest = String(thousandths % 1000)
    let decimals = String(repeating: "0", count: 3 - rest.count) + rest
    return "\(thousandths / 1000)" + (thousandths % 1000 == 0 ? "" : ".\(decimals)")
  }

  /// Reads a clock value of SMIL 3.0 section 5.4.2, such as `0:14:45.5`, `12.5s` or `3min`; `nil`
  /// for anything else and for more than 1,000 hours.
  static func seconds(_ text: String) -> Double? {
    let text = text.trimmed
    let value: Double?
    if text.contains(":") {
      let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { number($0) }
      guard (2...3).contains(parts.count) else { return nil }
      value = parts.reduce(0) { sum, part in sum.flatMap { sum in part.map { sum * 60 + $0 } } }
    } else {
      let units = [("ms", 0.001), ("min", 60), ("h", 3600), ("s", 1)]
      let unit = units.first { text.hasSuffix($0.0) } ?? ("", 1)
      value = number(text.dropLast(unit.0.count)).map { $0 * unit.1 }
    }
    return value.flatMap { $0 <= 3_600_000 ? $0 : nil }
  }

  private static func number(_ text: some StringProtocol) -> Double? {
    let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
    return isPlain && text.utf8.count <= 20 ? Double(text) : nil
  }
}

extension SoundClip {
  /// Reads `clipBegin` and `clipEnd` of an `audio` element of a media overlay.
  init(_ element: XMLElement) {
    begin = element.attribute("clipBegin").flatMap(SoundClip.seconds) ?? 0
    end = element.attribute("clipEnd").flatMap(SoundClip.seconds)
  }
}
