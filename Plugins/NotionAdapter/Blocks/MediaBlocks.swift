import ArchiverCore
import ArchiverMarkup

/// Blocks that show files and web pages.
extension BlockRenderer {
  func media(_ index: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    html.element("figure", attributes(node, "n-\(node.type)")) { html in
      if let file = NotionFile(node.payload) {
        player(node, file, &html)
      } else {
        html.element("p", ["class": "n-note"], text: "The \(node.type) has no address.")
      }
      caption(node, &html)
    }
  }

  private func player(_ node: BlockTree.Node, _ file: NotionFile, _ html: inout HTMLWriter) {
    switch node.type {
    case "image":
      html.void(
        "img", ["src": file.url, "alt": RichText.plain(node.payload["caption"]?.array ?? [])])
    case "video" where MediaFile.isVideo(file):
      html.element("video", ["controls": "", "src": file.url]) { _ in }
    case "audio" where MediaFile.isAudio(file):
      html.element("audio", ["controls": "", "src": file.url]) { _ in }
    case "video", "audio":
      card(file.url, label: nil, &html)
    default:
      fileLink(file, &html)
    }
  }

  private func fileLink(_ file: NotionFile, _ html: inout HTMLWriter) {
    html.element("a", ["class": "n-file-link", "href": file.url]) { html in
      html.element("span", ["class": "n-icon"], text: "📄")
      html.text(file.displayName)
    }
  }

  func web(_ index: Int, _ html: inout HTMLWriter) {
    let node = tree[index]
    html.element("figure", attributes(node, "n-bookmark")) { html in
      card(node.payload["url"]?.string ?? "", label: nil, &html)
      caption(node, &html)
    }
  }

  private func card(_ address: String, label: String?, _ html: inout HTMLWriter) {
    if let target = NotionAddress(address), let page = target.page {
      return html.pageLink(page, fallback: address, anchor: target.block, context)
    }
    guard !address.isEmpty else {
      return html.element("p", ["class": "n-note"], text: "The block has no address.")
    }
    html.element("a", ["class": "n-card", "href": address], text: label ?? address)
  }
}

/// The files that browsers can play, by extension: Notion also accepts URLs of video pages.
enum MediaFile {
  private static let videos: Set<String> = [
    "mp4", "m4v", "mov", "webm", "ogv", "mkv", "avi", "mpg", "mpeg", "wmv", "qt", "asf", "amv",
    "f4v",
    "gifv", "flv", "mpv", "mts", "m2ts", "3gp",
  ]
  private static let sounds: Set<String> = [
    "mp3", "m4a", "m4b", "wav", "ogg", "oga", "opus", "flac", "aac", "weba", "aif", "aiff", "wma",
    "mid", "midi", "mp4",
  ]

  static func isVideo(_ file: NotionFile) -> Bool {
    file.isHosted || videos.contains(file.fileExtension)
  }

  static func isAudio(_ file: NotionFile) -> Bool {
    file.isHosted || sounds.contains(file.fileExtension)
  }
}
