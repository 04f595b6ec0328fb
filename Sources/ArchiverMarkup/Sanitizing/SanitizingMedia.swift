import ArchiverCore

// Video and audio.
extension SanitizingSession {
  func beginMedia(_ name: String, _ attributes: HTMLAttributes) {
    noteAnchor(attributes)
    var media = ImageTracker.Media(name: name.hasSuffix("video") ? "video" : "audio")
    for source in ["src", "data-src", "data-video-src"] where media.source == nil {
      media.source = attributes[source].flatMap { resolver.web($0) }
    }
    for poster in ["poster", "data-poster"] where media.poster == nil {
      media.poster = attributes[poster].flatMap { resolver.image($0) }
    }
    media.width = ImageMarkup.pixels(attributes["width"])
    media.height = ImageMarkup.pixels(attributes["height"])
    images.media = media
  }

  func finishMedia() throws(MarkupError) {
    guard let media = images.media else { return }
    images.media = nil
    // The poster of an audio element is not displayed.
    guard media.source != nil || (media.poster != nil && media.name == "video") else { return }
    try requireRoom()
    countMedia()
    var bytes = Array("<\(media.name)".utf8)
    if let source = media.source { bytes.appendAttribute("src", source) }
    if media.name == "video" {
      if let poster = media.poster { bytes.appendAttribute("poster", poster) }
      if let width = media.width { bytes.appendAttribute("width", String(width)) }
      if let height = media.height { bytes.appendAttribute("height", String(height)) }
    }
    bytes.appendAttribute("controls", "")
    bytes += "></\(media.name)>".utf8
    _ = writer.writeAtom(bytes)
    for track in media.tracks { write(track) }
  }

  func noteTrack(_ attributes: HTMLAttributes) {
    let kind = attributes["kind"]?.lowercased() ?? "subtitles"
    guard kind != "metadata", let media = images.media, media.tracks.count < 50,
      let address = attributes["src"].flatMap({ resolver.web($0) })
    else { return }
    let names = [attributes["label"], attributes["srclang"], kind].compactMap(\.self)
    images.media?.tracks.append((names.first { !$0.isEmpty } ?? kind, address))
  }

  /// Writes a link in place of subtitles: browsers do not load them from files beside a page on
  /// disk.
  private func write(_ track: (label: String, address: String)) {
    writer.separate()
    guard !writer.isActive("a") else { return }
    var link = ElementAttributes()
    ReferenceResolver.Link.external(track.address).write(into: &link.bytes)
    guard let inline = writer.openInline("a", link) else { return }
    writer.write(track.label)
    writer.closeInline(inline)
  }
}
