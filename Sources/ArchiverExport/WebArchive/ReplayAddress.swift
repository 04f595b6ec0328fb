import ArchiverCore
import ArchiverMarkup

extension WebURL {
  /// The address without a fragment and with an ASCII host, which is the form in which browsers,
  /// and so replay programs, look it up.
  var replayAddress: String {
    let address = withoutFragment.absoluteString
    let ascii = ReplayHost.ascii(host)
    return ascii == host ? address : address.replacing(host, with: ascii, maxReplacements: 1)
  }
}

/// Hosts with letters outside ASCII.
enum ReplayHost {
  /// The maximum length of a label of a domain name, in characters of either form.
  private static let longestLabel = 63

  /// Returns a host in the form of IDNA, such as `xn--bcher-kva.example`; unchanged if it has none.
  ///
  /// - Parameter host: A host whose letters outside ASCII are percent-encoded UTF-8.
  static func ascii(_ host: String) -> String {
    let bytes = PercentEncoding.decodedBytes(host)
    guard bytes.contains(where: { $0 >= 0x80 }),
      let decoded = String(validating: bytes, as: UTF8.self)
    else { return host }
    var labels: [String] = []
    // The full stops of Chinese and Japanese also separate labels (RFC 3490 section 3.1).
    let stops: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
    for label in decoded.lowercased().unicodeScalars.split(
      omittingEmptySubsequences: false, whereSeparator: stops.contains)
    {
      if label.allSatisfy(\.isASCII) {
        labels.append(String(label))
        continue
      }
      guard label.count <= longestLabel else { return host }
      let code = "xn--" + punycode(label.map { Int($0.value) })
      guard code.utf8.count <= longestLabel else { return host }
      labels.append(code)
    }
    return labels.joined(separator: ".")
  }

  /// Encodes the code points of a label (RFC 3492 section 6.3).
  static func punycode(_ points: [Int]) -> String {
    let basic = points.filter { $0 < 0x80 }
    var code = String(String.UnicodeScalarView(basic.compactMap { Unicode.Scalar(UInt8($0)) }))
    if !basic.isEmpty { code += "-" }
    var (next, delta, bias, handled) = (0x80, 0, 72, basic.count)
    while handled < points.count {
      let smallest = points.filter { $0 >= next }.min() ?? next
      delta += (smallest - next) * (handled + 1)
      next = smallest
      for point in points {
        if point < next { delta += 1 }
        guard point == next else { continue }
        code += number(delta, bias)
        bias = adapted(delta, handled + 1, isFirst: handled == basic.count)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return code
  }

  /// Returns an integer of variable length (section 3.3).
  private static func number(_ value: Int, _ bias: Int) -> String {
    let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    var (rest, text, place) = (value, "", 36)
    while true {
      let threshold = place <= bias ? 1 : min(26, place - bias)
      guard rest >= threshold else { return text + String(digits[rest]) }
      text.append(digits[threshold + (rest - threshold) % (36 - threshold)])
      rest = (rest - threshold) / (36 - threshold)
      place += 36
    }
  }

  /// Returns the next bias (section 6.1).
  private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
    var rest = isFirst ? delta / 700 : delta / 2
    rest += rest / count
    var place = 0
    while rest > 455 {
      rest /= 35
      place += 36
    }
    return place + 36 * rest / (rest + 38)
  }
}
