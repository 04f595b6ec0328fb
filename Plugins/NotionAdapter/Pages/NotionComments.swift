import ArchiverCore
import ArchiverMarkup

/// The open comments on a page, by discussion.
struct NotionComments: Sendable {
  struct Comment: Sendable {
    let discussion: String
    /// The block that the discussion is about; `nil` for the page.
    let block: NotionID?
    let author: String?
    let authorID: NotionID?
    let created: String
    let text: [RichText]
    let files: [NotionFile]
  }

  var comments: [Comment] = []
  /// As received.
  var records: [JSONValue] = []
  /// Why some are missing; `nil` if the list is complete.
  var fault: String?

  /// Reads the comments; empty if the integration lacks the capability, which is reported once.
  static func read(
    page: NotionID, tree: BlockTree, scope: CommentScope, client: NotionClient,
    directory: NotionDirectory
  ) async throws(AdapterError) -> NotionComments {
    var result = NotionComments()
    guard scope != .off, !directory.wasWarned(NotionComments.capability) else { return result }
    var places: [NotionID] = [page]
    if scope == .blocks {
      places += tree.inReadingOrder.compactMap {
        $0.isDocument || $0.type == "meeting_section" ? nil : $0.id
      }
    }
    var failures = 0
    for place in places {
      do throws(AdapterError) {
        try await result.add(place, of: page, client)
      } catch {
        guard error.concernsOneObject else { throw error }
        guard error.fault?.code == "restricted_resource" else {
          result.fault = error.message
          client.context.log(.info, "comments on page \(page) are incomplete: \(error.message)")
          failures += 1
          // After several consecutive failures the rest is not requested.
          guard failures < 3 else { return result }
          continue
        }
        // The integration lacks the capability for all pages.
        if directory.isFirstWarning(NotionComments.capability) {
          client.context.log(.warning, "comments are left out: \(error.message)")
        }
        return result
      }
    }
    return result
  }

  private static let capability = "comments"

  private mutating func add(
    _ place: NotionID, of page: NotionID, _ client: NotionClient
  ) async throws(AdapterError) {
    var trail = PageTrail()
    var goesOn = true
    while goesOn {
      let list = try await client.page(
        ["comments"], [("block_id", place.dashed)], cursor: trail.cursor,
        about: "comments on page \(page)")
      for value in list.results {
        records.append(value)
        comments.append(Comment(value, page: page))
      }
      goesOn = trail.goesOn(after: list)
    }
    fault = trail.fault ?? fault
  }

  /// Writes the comments as a section; nothing if there are none.
  func write(_ context: RenderContext, tree: BlockTree, to html: inout HTMLWriter) {
    guard !comments.isEmpty else { return }
    let text = RichTextRenderer(context: context)
    html.element("div", ["class": "n-comments"]) { html in
      html.element("h2", text: "Comments")
      for discussion in discussions {
        html.element("div", ["class": "n-discussion"]) { html in
          subject(discussion, tree, &html)
          for comment in discussion { write(comment, text, &html) }
        }
      }
    }
  }

  private var discussions: [[Comment]] {
    var order: [String] = []
    var groups: [String: [Comment]] = [:]
    for comment in comments {
      if groups[comment.discussion] == nil { order.append(comment.discussion) }
      groups[comment.discussion, default: []].append(comment)
    }
    return order.compactMap { groups[$0] }
  }

  private func subject(_ discussion: [Comment], _ tree: BlockTree, _ html: inout HTMLWriter) {
    guard let block = discussion.first?.block else { return }
    let words = tree.nodes.first { $0.id == block }.map { $0.text.map(\.plain).joined() } ?? ""
    html.element("p", ["class": "n-note"]) { html in
      html.text("On: ")
      html.element(
        "a", ["href": "#\(block.hex)"], text: words.isEmpty ? "a block" : String(words.prefix(120)))
    }
  }

  private func write(_ comment: Comment, _ text: RichTextRenderer, _ html: inout HTMLWriter) {
    html.element("div", ["class": "n-comment"]) { html in
      html.element("p", ["class": "n-note"]) { html in
        html.text(comment.author ?? "Someone")
        html.text(", ")
        html.element(
          "time", ["datetime": comment.created], text: NotionTime.readable(comment.created))
      }
      let words = comment.text.map(\.plain).joined()
      html.element("p", ["dir": WritingDirection.exception(words)]) { html in
        text.write(comment.text, to: &html)
      }
      for file in comment.files {
        html.element("p") { html in
          if file.isPicture {
            html.void("img", ["src": file.url, "alt": file.displayName])
          } else {
            html.element("a", ["class": "n-file-link", "href": file.url], text: file.displayName)
          }
        }
      }
    }
  }
}

extension NotionComments.Comment {
  init(_ value: JSONValue, page: NotionID) {
    discussion = value["discussion_id"]?.string ?? value["id"]?.string ?? ""
    let place = NotionID(value["parent"]?["block_id"])
    block = place == page ? nil : place
    author =
      value["display_name"]?["resolved_name"]?.string ?? value["created_by"]?["name"]?.string
    authorID = NotionID(value["created_by"]?["id"])
    created = value["created_time"]?.string ?? ""
    text = RichText.list(value["rich_text"])
    files = (value["attachments"]?.array ?? []).compactMap(NotionComments.file)
  }
}

extension NotionComments {
  /// Parses an attachment of a comment; `nil` if it has no URL.
  static func file(_ attachment: JSONValue) -> NotionFile? {
    NotionFile(attachment) ?? NotionFile(["type": "file", "file": attachment["file"] ?? .null])
  }
}

extension References {
  mutating func add(_ comments: NotionComments) {
    for record in comments.records { add(record["rich_text"]?.array ?? []) }
  }
}

extension LinkCollector {
  mutating func add(_ comments: NotionComments) {
    for comment in comments.comments {
      add(comment.text, block: comment.block)
      if let author = comment.authorID { add(person: author, comment.author, as: "comment") }
    }
  }
}
