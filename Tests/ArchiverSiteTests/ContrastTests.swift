import ArchiverCore
import Testing

@testable import ArchiverSite

@Suite struct ContrastTests {
  private static func tokens(_ css: [UInt8]) -> [String: String] {
    var tokens: [String: String] = [:]
    for line in String(decoding: css, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, let hash = parts[1].firstIndex(of: "#") else { continue }
      tokens[String(parts[0])] = String(parts[1][hash...].dropFirst().prefix(6))
    }
    return tokens
  }

  /// Relative luminance as WCAG 2.2 defines it.
  private static func luminance(_ hex: String) -> Double {
    let value = Int(hex, radix: 16) ?? 0
    func channel(_ shift: Int) -> Double {
      let c = Double(value >> shift & 255) / 255
      guard c > 0.04045 else { return c / 12.92 }
      // ((c + 0.055) / 1.055) ^ 2.4 by square roots: x^2.4 = x^2 * x^0.4; x^0.4 = (x^2)^(1/5).
      let x = (c + 0.055) / 1.055
      var root = 0.5
      for _ in 0..<60 {
        root -= (root * root * root * root * root - x * x) / (5 * root * root * root * root)
      }
      return x * x * root
    }
    return 0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0)
  }

  private static func contrast(_ one: String, _ other: String) -> Double {
    let (a, b) = (luminance(one), luminance(other))
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  @Test(arguments: ["light", "sepia", "dark"])
  func `is enough for text on every ground and for edges`(theme: String) throws {
    let sheets = [
      "light": PackageResources.light_css, "dark": PackageResources.dark_css,
      "sepia": PackageResources.light_css + PackageResources.sepia_css,
    ]
    let tokens = Self.tokens(try #require(sheets[theme]))
    func color(_ name: String) throws -> String { try #require(tokens["--\(name)"]) }
    for ground in ["paper", "raised", "sunken"] {
      for ink in ["ink", "soft", "link", "good", "warn", "bad"] {
        let value = Self.contrast(try color(ink), try color(ground))
        #expect(value >= 4.5, "\(ink) on \(ground): \(value)")
      }
      for edge in ["edge", "focus"] {
        let value = Self.contrast(try color(edge), try color(ground))
        #expect(value >= 3, "\(edge) on \(ground): \(value)")
      }
    }
    for mark in ["yellow", "red", "blue", "green"] {
      for ink in ["ink", "link"] {
        let value = Self.contrast(try color(ink), try color("mark-\(mark)"))
        #expect(value >= 4.5, "\(ink) on \(mark): \(value)")
      }
    }
    #expect(Self.contrast("ffffff", "000000") > 20.9)
  }

  @Test func `is enough for the letters of tiles`() throws {
    let css = String(decoding: PackageResources.library_css, as: UTF8.self)
    for (name, ink) in [("--tile: #", "3c372f"), ("--night: #", "e9e5dc")] {
      var rest = css[...]
      var count = 0
      while let found = rest.firstRange(of: name) {
        rest = rest[found.upperBound...]
        count += 1
        #expect(Self.contrast(String(rest.prefix(6)), ink) >= 4.5)
      }
      #expect(count == Tile.hueCount)
    }
  }
}
