/// The style of pages: design tokens for light and dark, and the rules that use them.
enum StyleSheet {
  /// The style of bundles, with the system's theme.
  static let reading = withSystemTheme(PackageResources.reading_css)

  /// The style of the start page of several archives, with the system's theme.
  static let portal = withSystemTheme(PackageResources.portal_css)

  private static func withSystemTheme(_ rules: [UInt8]) -> [UInt8] {
    var css = Array(":root{color-scheme:light dark;".utf8)
    css += PackageResources.light_css
    css += "}\n@media screen and (prefers-color-scheme:dark){:root{".utf8
    css += PackageResources.dark_css
    css += "}}\n".utf8
    return css + rules
  }

  /// The style of the library, with the system's theme unless `data-theme` overrides it. In
  /// forced-colours mode the system's theme always applies: elements that keep their own colours,
  /// such as charts, must match it.
  static let library: [UInt8] = {
    let isChosen = "@media screen and (forced-colors:none)"
    var css = Array(":root{color-scheme:light dark;".utf8)
    css += PackageResources.light_css
    let isLight = ":root:is([data-theme=light],[data-theme=sepia])"
    css += "}\n@media (forced-colors:none){\(isLight){color-scheme:light}}\n".utf8
    css += "@media screen and (prefers-color-scheme:dark) and (forced-colors:active){:root{".utf8
    css += PackageResources.dark_css
    css += "}}\n".utf8
    let isSystems = ":root:not([data-theme=light],[data-theme=sepia])"
    css += "@media screen and (prefers-color-scheme:dark){\(isSystems){".utf8
    css += PackageResources.dark_css
    css += "}\(isSystems) .tile{background:var(--night)}}\n".utf8
    css += "\(isChosen){:root[data-theme=sepia]{".utf8
    css += PackageResources.sepia_css
    css += "}}\n".utf8
    css += "\(isChosen){:root[data-theme=dark]{color-scheme:dark;".utf8
    css += PackageResources.dark_css
    css += "}:root[data-theme=dark] .tile{background:var(--night)}}\n".utf8
    return PackageResources.library_css + css
  }()
}
