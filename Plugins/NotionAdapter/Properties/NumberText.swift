import ArchiverCore

/// Formats numbers like a number property.
enum NumberText {
  static func text(_ value: Double, format: String?) -> String {
    switch format ?? "number" {
    case "number": return plain(value)
    case "number_with_commas": return grouped(plain(value))
    case "percent": return "\(plain(rounded(value * 100)))%"
    case let format:
      guard let currency = currencies[format] else { return plain(value) }
      let amount = grouped(
        wholeCurrencies.contains(format) && value == value.rounded()
          ? plain(abs(value)) : fixed(abs(value)))
      return "\(value < 0 ? "-" : "")\(currency)\(amount)"
    }
  }

  /// Returns digits without an exponent and without a zero fraction.
  static func plain(_ value: Double) -> String {
    let text = PlainNumber.text(value)
    return text.utf8.count > 17 ? PlainNumber.text(shortened(value)) : text
  }

  /// Returns the number with the fewest decimals that differs only by a rounding error of binary
  /// fractions: 0.30000000000000004 is 0.3.
  private static func shortened(_ value: Double) -> Double {
    var scale = 1.0
    for _ in 0..<17 {
      let candidate = (value * scale).rounded() / scale
      if candidate.isFinite, abs(candidate - value) <= abs(value) * 4e-16 { return candidate }
      scale *= 10
    }
    return value
  }

  /// Rounds off the error of binary fractions in a percentage.
  private static func rounded(_ value: Double) -> Double {
    guard abs(value) < 1e9 else { return value }
    return (value * 1e6).rounded() / 1e6
  }

  private static func fixed(_ value: Double) -> String {
    guard value < 1e15 else { return plain(value) }
    let hundredths = Int((value * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }

  private static func grouped(_ text: String) -> String {
    guard !text.contains("e") else { return text }
    let sign = text.hasPrefix("-") ? "-" : ""
    let parts = text.dropFirst(sign.count).split(separator: ".", maxSplits: 1)
    var digits = ""
    for (offset, digit) in (parts.first ?? "").reversed().enumerated() {
      if offset > 0, offset % 3 == 0 { digits.append(",") }
      digits.append(digit)
    }
    let fraction = parts.count > 1 ? ".\(parts[1])" : ""
    return sign + String(digits.reversed()) + fraction
  }

  /// Currencies without a smaller unit.
  private static let wholeCurrencies: Set<String> = ["yen", "won", "chilean_peso"]

  private static let currencies: [String: String] = [
    "dollar": "$", "us_dollar": "$", "euro": "€", "pound": "£", "yen": "¥", "ruble": "₽",
    "rupee": "₹", "won": "₩", "yuan": "CN¥", "real": "R$", "lira": "₺", "rupiah": "Rp ",
    "franc": "CHF ", "hong_kong_dollar": "HK$", "new_zealand_dollar": "NZ$", "krona": "kr ",
    "norwegian_krone": "NOK ", "mexican_peso": "MX$", "rand": "ZAR ", "new_taiwan_dollar": "NT$",
    "danish_krone": "DKK ", "zloty": "PLN ", "baht": "THB ", "forint": "HUF ", "koruna": "CZK ",
    "shekel": "₪", "chilean_peso": "CLP ", "philippine_peso": "₱", "dirham": "AED ",
    "colombian_peso": "COP ", "riyal": "SAR ", "ringgit": "RM ", "leu": "RON ",
    "argentine_peso": "ARS ", "uruguayan_peso": "UYU ", "singapore_dollar": "S$",
    "canadian_dollar": "CA$", "australian_dollar": "A$", "peruvian_sol": "S/ ",
  ]
}
