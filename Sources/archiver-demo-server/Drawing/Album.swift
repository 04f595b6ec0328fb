/// Every picture by the name the articles use.
enum Album {
  static let pictures: [String: Picture] = [
    "border": png(Botanical.border),
    "herbarium": png(Botanical.herbarium),
    "garden-plan": png(Botanical.plan),
    "wallpaper": png {
      Botanical.wallpaper(
        &$0, ground: 0x22344A, leafColor: 0x8FAE9A, stem: 0x5C8379, berry: 0xD9694A)
    },
    "endpaper": gif {
      Botanical.wallpaper(
        &$0, ground: 0xF3E4D0, leafColor: 0xB56A5A, stem: 0x7F8F6E, berry: 0xE0A74A)
    },
    "island": png(Maps.island),
    "contours": gif(Maps.contours),
    "town": png(Maps.town),
    "suspension": png(Bridges.suspension),
    "viaduct": png(Bridges.viaduct),
    "cable-stayed": gif(Bridges.cableStayed),
    "truss": png(Bridges.truss),
    "river-spring": png(Landscapes.spring.paint),
    "river-summer": png(Landscapes.summer.paint),
    "river-autumn": png(Landscapes.autumn.paint),
    "river-winter": png(Landscapes.winter.paint),
    "alpine-lake": png(Landscapes.alpine.paint),
    "moon-hills": png(Landscapes.moonlit.paint),
    "dunes": gif(Landscapes.dunes.paint),
    "loaf": png(Indoors.loaf),
    "jar": png(Indoors.jar),
    "milky-way": png(NightSky.milkyWay),
    "constellations": png(NightSky.constellations),
    "moon-phases": gif(NightSky.moonPhases),
    "star-trails": png(NightSky.trails),
    "type-case": png(Letterforms.typeCase),
    "forme": png(Letterforms.forme),
    "page": png(Letterforms.page),
    "truchet": gif(Tilings.truchet),
    "stars": png(Tilings.stars),
    "cubes": gif(Tilings.cubes),
    "quilt": png(Tilings.quilt),
    "sheets": png(Tilings.sheets),
    "honeycomb": png(Tilings.honeycomb),
    "ridgeline": png(Charts.ridgeline),
    "calendar": gif(Charts.calendar),
    "daylight": png(Charts.daylight),
    "canal": png(Town.canal),
    "night-tram": png(Town.nightTram),
    "bicycle": png(Town.bicycle),
    "shelves": png {
      Indoors.shelves(
        &$0, seed: 5, wood: 0x6B4430,
        inks: [0x8C3B2E, 0x2F5D62, 0xC98B45, 0x3B4A63, 0x7A8F6A, 0xB9A27A, 0x5B3A52])
    },
    "boxes": gif {
      Indoors.shelves(
        &$0, seed: 17, wood: 0x4B5A5E, inks: [0xC9B48A, 0xB59A6B, 0xD9C9A4, 0x8FA3A0, 0xA8876A])
    },
    "rain": png(Indoors.rain),
    "coffee": png(Indoors.coffee),
    "lighthouse": png(Seaside.lighthouse),
    "scales": gif(Seaside.scales),
    "pools": png(Seaside.pools),
    "lock": png(Seaside.lock),
    "terraces": png(Seaside.terraces),
    "forces": Picture(kind: .svg(Figures.forces, width: 800, height: 360)),
    "rainfall": Picture(kind: .svg(Figures.rainfall, width: 800, height: 400)),
  ]

  private static func png(_ paint: @escaping @Sendable (inout Canvas) -> Void) -> Picture {
    Picture(kind: .png(paint))
  }

  private static func gif(_ paint: @escaping @Sendable (inout Canvas) -> Void) -> Picture {
    Picture(kind: .gif(paint))
  }
}
