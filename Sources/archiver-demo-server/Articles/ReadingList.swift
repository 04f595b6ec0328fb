/// What the demo's reader has kept, newest first.
enum ReadingList {
  static let articles: [DemoArticle] = [
    .fiveBridges, .yearByTheRiver, .ryeLoaf, .commonplaceBook, .autumnSky, .lostPlaces,
    .augustGarden, .rainyLibrary, .lineOfType, .paperSizes, .morningCoffee, .timetable,
    .windowsill, .footnotes, .lockGate, .patientLighthouse, .backups, .bicycle, .teaMountain,
    .tidePools, .bees, .threePoems, .nightTram, .tiles, .deadLink,
  ].sorted { $0.saved > $1.saved }
}
