/// Elements of AMP and of small libraries that a script would make a player or a post.
///
/// An attribute names their content by an id; the page that shows it is kept as a link.
enum PlayerElement {
  /// The attribute that has the id, and the address around it.
  private typealias Place = (attribute: String, before: String, after: String)

  private static let places: [String: [Place]] = [
    "amp-youtube": [
      ("data-videoid", "https://www.youtube.com/watch?v=", ""),
      ("data-live-channelid", "https://www.youtube.com/channel/", "/live"),
    ],
    "lite-youtube": [
      ("videoid", "https://www.youtube.com/watch?v=", ""),
      ("playlistid", "https://www.youtube.com/playlist?list=", ""),
    ],
    "youtube-video": [("video-id", "https://www.youtube.com/watch?v=", "")],
    "amp-vimeo": [("data-videoid", "https://vimeo.com/", "")],
    "lite-vimeo": [("videoid", "https://vimeo.com/", "")],
    "amp-dailymotion": [("data-videoid", "https://www.dailymotion.com/video/", "")],
    "amp-twitter": [("data-tweetid", "https://twitter.com/i/status/", "")],
    "amp-instagram": [("data-shortcode", "https://www.instagram.com/p/", "/")],
    "amp-tiktok": [("data-src", "https://www.tiktok.com/embed/v2/", "")],
    "amp-pinterest": [("data-url", "", "")],
    "amp-soundcloud": [
      ("data-trackid", "https://api.soundcloud.com/tracks/", ""),
      ("data-playlistid", "https://api.soundcloud.com/playlists/", ""),
    ],
    "amp-gist": [("data-gistid", "https://gist.github.com/", "")],
    "amp-imgur": [("data-imgur-id", "https://imgur.com/", "")],
    "amp-vine": [("data-vineid", "https://vine.co/v/", "")],
    "amp-reddit": [("data-src", "", "")],
    "amp-facebook": [("data-href", "", "")],
    "amp-facebook-page": [("data-href", "", "")],
    "amp-facebook-comments": [("data-href", "", "")],
    "amp-brightcove": [("data-video-id", "https://players.brightcove.net/?videoId=", "")],
  ]

  /// Returns the URL that an element would show; `nil` for other elements.
  static func address(_ name: String, _ attributes: HTMLAttributes) -> String? {
    for place in places[name] ?? [] {
      guard let id = attributes[place.attribute], !id.isEmpty, id.utf8.count < 2_000 else {
        continue
      }
      return place.before + id + place.after
    }
    return nil
  }

  /// Hosts whose scripts put a text or a recording in their place; its page has the same address without
  /// the ending.
  private static let scriptHosts = ["https://gist.github.com/", "https://asciinema.org/a/"]

  /// Returns the page of what a script would put in its place; `nil` for all other scripts.
  static func page(ofScript source: String) -> String? {
    let address = source.hasPrefix("//") ? "https:" + source : source
    guard scriptHosts.contains(where: address.hasPrefix),
      let end = address.firstRange(of: ".js")?.lowerBound
    else { return nil }
    return String(address[..<end])
  }
}
