import ArchiverCore

/// Pins survive the loss of the catalog: `.archiver/pins.json` lists them for `rebuildCatalog`.
extension Archive {
  private struct Pin: Codable {
    let source: String
    let id: String
  }

  /// Pins or unpins an item.
  package func setPinned(_ isPinned: Bool, _ key: ItemKey) throws(StorageError) {
    try catalog.setPinned(isPinned, key)
    try savePins()
  }

  func savePins() throws(StorageError) {
    let pins = try catalog.pins(source: nil).map { Pin(source: $0.source, id: $0.id) }
      .sorted { ($0.source, $0.id) < ($1.source, $1.id) }
    try replace(
      ArchiveLayout.pins, in: control, by: pins,
      [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes], "the list of pins")
  }

  /// Restores the pins from before the catalog was lost. An unreadable list restores none.
  func restorePins() throws(StorageError) {
    guard try control.status(ArchiveLayout.pins) != nil else { return }
    let bytes = try OpenFile.reading(ArchiveLayout.pins, in: control).readAll()
    let pins = (try? JSONDecoder().decode([Pin].self, from: Data(bytes))) ?? []
    for pin in pins { try catalog.setPinned(true, ItemKey(source: pin.source, id: pin.id)) }
  }
}
