package import ArchiverCore
import Synchronization

/// A block with its children.
package struct FakeBlock: Sendable {
  package var type: String
  package var payload: JSONValue
  package var children: [FakeBlock]
  /// 32 digits; `nil` for the next free id.
  package var id: String?
  /// The value of `has_children` if it should be wrong.
  package var claimsChildren: Bool?

  package init(
    _ type: String, _ payload: JSONValue = [:], _ children: [FakeBlock] = [], id: String? = nil,
    claimsChildren: Bool? = nil
  ) {
    self.type = type
    self.payload = payload
    self.children = children
    self.id = id
    self.claimsChildren = claimsChildren
  }

  /// A block that holds text, such as a paragraph.
  package static func text(
    _ type: String, _ text: String, _ children: [FakeBlock] = []
  ) -> FakeBlock {
    FakeBlock(type, ["rich_text": FakeNotion.richText(text), "color": "default"], children)
  }
}

extension FakeNotion {
  /// Rich text of one plain piece, with all members that Notion sends.
  package static func richText(_ text: String) -> JSONValue {
    text.isEmpty ? [] : [richPiece(text)]
  }

  package static func richPiece(_ text: String) -> JSONValue {
    [
      "type": "text", "text": ["content": .string(text), "link": .null],
      "annotations": plainAnnotations, "plain_text": .string(text), "href": .null,
    ]
  }

  package static let plainAnnotations: JSONValue = [
    "bold": false, "italic": false, "strikethrough": false, "underline": false, "code": false,
    "color": "default",
  ]

  /// A mention of a page.
  package static func mention(_ page: String, _ title: String) -> JSONValue {
    [
      "type": "mention", "mention": ["type": "page", "page": ["id": .string(dashed(page))]],
      "annotations": plainAnnotations, "plain_text": .string(title),
      "href": .string("https://www.notion.so/\(page)"),
    ]
  }

  /// An image or a file stored by Notion.
  package static func file(_ name: String) -> JSONValue {
    [
      "type": "file", "name": .string(String(name.split(separator: "/").last ?? "")),
      "file": ["url": .string("@file/\(name)"), "expiry_time": "2026-11-21T01:00:00.000Z"],
    ]
  }

  package static func dashed(_ id: String) -> String {
    let digits = Array(id.filter { $0 != "-" })
    guard digits.count == 32 else { return id }
    let cuts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return cuts.map { String(digits[$0]) }.joined(separator: "-")
  }

  /// The default edit time of pages, long before any run.
  package static let quietTime = "2026-03-01T09:30:00.000Z"

  /// Adds a page and returns its id.
  ///
  /// - Parameters:
  ///   - parent: The id of a page; `nil` for the top of the workspace.
  ///   - extra: Additional members of the page, such as `icon`.
  @discardableResult
  package func addPage(
    _ title: String, parent: String? = nil, edited: String = FakeNotion.quietTime,
    blocks: [FakeBlock] = [], extra: [String: JSONValue] = [:]
  ) -> String {
    workspace.withLock { workspace in
      let id = workspace.nextID()
      let parent: JSONValue =
        parent.map { ["type": "page_id", "page_id": .string(FakeNotion.dashed($0))] }
        ?? ["type": "workspace", "workspace": true]
      let properties: JSONValue = [
        "title": ["id": "title", "type": "title", "title": FakeNotion.richText(title)]
      ]
      workspace.insertPage(id, parent, edited, edited, properties, extra)
      workspace.setBlocks(blocks, of: id, page: id)
      return id
    }
  }

  /// Adds a database with one table and returns the ids of both.
  @discardableResult
  package func addDatabase(
    _ title: String, parent: String? = nil, columns: [String: JSONValue],
    edited: String = FakeNotion.quietTime, extra: [String: JSONValue] = [:]
  ) -> (database: String, source: String) {
    workspace.withLock { workspace in
      let database = workspace.nextID()
      let source = workspace.nextID()
      let above: JSONValue =
        parent.map { ["type": "page_id", "page_id": .string(FakeNotion.dashed($0))] }
        ?? ["type": "workspace", "workspace": true]
      var container: [String: JSONValue] = [
        "object": "database", "id": .string(FakeNotion.dashed(database)),
        "title": FakeNotion.richText(title), "description": [], "parent": above,
        "created_time": .string(edited), "last_edited_time": .string(edited), "in_trash": false,
        "data_sources": [["id": .string(FakeNotion.dashed(source)), "name": .string(title)]],
        "icon": .null, "cover": .null, "url": .string("https://www.notion.so/\(database)"),
      ]
      container.merge(extra) { _, new in new }
      let table: JSONValue = [
        "object": "data_source", "id": .string(FakeNotion.dashed(source)),
        "title": FakeNotion.richText(title), "description": [], "properties": .object(columns),
        "parent": ["type": "database_id", "database_id": .string(FakeNotion.dashed(database))],
        "database_parent": above, "created_time": .string(edited),
        "last_edited_time": .string(edited), "in_trash": false, "icon": .null, "cover": .null,
        "url": .string("https://www.notion.so/\(database)"),
      ]
      workspace.databases[database] = Record(.object(container))
      workspace.sources[source] = Record(table)
      workspace.rows[source] = []
      workspace.viewOrder[database] = []
      return (database, source)
    }
  }

  /// Adds a row to a table and returns its id.
  @discardableResult
  package func addRow(
    _ source: String, _ properties: [String: JSONValue], created: String = FakeNotion.quietTime,
    edited: String = FakeNotion.quietTime, blocks: [FakeBlock] = [],
    extra: [String: JSONValue] = [:]
  ) -> String {
    workspace.withLock { workspace in
      let id = workspace.nextID()
      let database = workspace.sources[source]?.value["parent"]?["database_id"] ?? .null
      let parent: JSONValue = [
        "type": "data_source_id", "data_source_id": .string(FakeNotion.dashed(source)),
        "database_id": database,
      ]
      workspace.insertPage(id, parent, created, edited, .object(properties), extra)
      workspace.rows[source, default: []].append(id)
      workspace.setBlocks(blocks, of: id, page: id)
      return id
    }
  }

  /// Adds a view to a database and returns its id; `rows` are its rows if it is filtered or sorted.
  @discardableResult
  package func addView(
    _ database: String, source: String, _ members: [String: JSONValue], rows: [String]? = nil
  ) -> String {
    workspace.withLock { workspace in
      let id = workspace.nextID()
      var view: [String: JSONValue] = [
        "object": "view", "id": .string(FakeNotion.dashed(id)), "name": "",
        "type": "table", "data_source_id": .string(FakeNotion.dashed(source)), "filter": .null,
        "sorts": .null, "quick_filters": .null, "configuration": ["type": "table"],
        "parent": ["type": "database_id", "database_id": .string(FakeNotion.dashed(database))],
      ]
      view.merge(members) { _, new in new }
      workspace.views[id] = Record(.object(view))
      workspace.viewOrder[database, default: []].append(id)
      workspace.viewRows[id] = rows
      return id
    }
  }

  /// Adds an open comment on a page or block and returns its id.
  @discardableResult
  package func addComment(
    _ text: String, on id: String, page: String, discussion: String = "d1",
    extra: [String: JSONValue] = [:]
  ) -> String {
    workspace.withLock { workspace in
      let commentID = workspace.nextID()
      let parent: JSONValue =
        id == page
        ? ["type": "page_id", "page_id": .string(FakeNotion.dashed(page))]
        : ["type": "block_id", "block_id": .string(FakeNotion.dashed(id))]
      var comment: [String: JSONValue] = [
        "object": "comment", "id": .string(FakeNotion.dashed(commentID)), "parent": parent,
        "discussion_id": .string(discussion), "created_time": "2026-03-01T10:00:00.000Z",
        "display_name": ["type": "user", "resolved_name": "Ada"],
        "rich_text": FakeNotion.richText(text),
      ]
      comment.merge(extra) { _, new in new }
      workspace.comments[id, default: []].append(.object(comment))
      return commentID
    }
  }

  package func addUser(_ name: String) -> String {
    workspace.withLock { workspace in
      let id = workspace.nextID()
      workspace.users.append([
        "object": "user", "id": .string(FakeNotion.dashed(id)), "type": "person",
        "name": .string(name),
      ])
      return id
    }
  }

  package func addFile(_ name: String, _ bytes: [UInt8]) {
    workspace.withLock { $0.files[name] = bytes }
  }

  /// Replaces a page's blocks and changes its edit time.
  package func edit(_ page: String, blocks: [FakeBlock], at time: String) {
    workspace.withLock { workspace in
      workspace.setBlocks(blocks, of: page, page: page)
      workspace.change(page) { $0["last_edited_time"] = .string(time) }
    }
  }

  /// Changes a page's edit time.
  package func touch(_ page: String, at time: String) {
    workspace.withLock { workspace in
      workspace.change(page) { $0["last_edited_time"] = .string(time) }
    }
  }

  /// Moves a page to the trash.
  package func trash(_ page: String, at time: String = FakeNotion.quietTime) {
    workspace.withLock { workspace in
      workspace.change(page) {
        $0["in_trash"] = true
        $0["last_edited_time"] = .string(time)
      }
    }
  }

  /// Moves a database with its table to the trash.
  package func trash(database: String, source: String) {
    workspace.withLock { workspace in
      for keyPath in [\FakeNotion.Workspace.databases, \.sources] {
        let id = keyPath == \.databases ? database : source
        guard let record = workspace[keyPath: keyPath][id],
          case .object(var members) = record.value
        else { continue }
        members["in_trash"] = true
        var changed = Record(.object(members))
        changed.isShared = record.isShared
        changed.isFound = record.isFound
        changed.inTrash = true
        workspace[keyPath: keyPath][id] = changed
      }
    }
  }

  /// Removes the integration's access to a page or database.
  package func unshare(_ id: String) {
    workspace.withLock { workspace in
      workspace.pages[id]?.isShared = false
      workspace.databases[id]?.isShared = false
      workspace.sources[id]?.isShared = false
    }
  }

  /// Restores the integration's access.
  package func share(_ id: String) {
    workspace.withLock { workspace in
      workspace.pages[id]?.isShared = true
      workspace.databases[id]?.isShared = true
      workspace.sources[id]?.isShared = true
    }
  }

  /// Hides a page from search.
  package func hide(_ id: String) {
    workspace.withLock { workspace in
      workspace.pages[id]?.isFound = false
      workspace.sources[id]?.isFound = false
    }
  }

  /// Reserves an id for a block that others refer to.
  package func reserveID() -> String {
    workspace.withLock { $0.nextID() }
  }
}

extension FakeNotion.Workspace {
  /// Ids count up with all digits set, so that none looks like a small number.
  mutating func nextID() -> String {
    idCount += 1
    let number = String(idCount, radix: 16)
    return "a1b2c3d4e5f64780b1c2" + String(repeating: "0", count: 12 - number.count) + number
  }

  mutating func insertPage(
    _ id: String, _ parent: JSONValue, _ created: String, _ edited: String,
    _ properties: JSONValue, _ extra: [String: JSONValue]
  ) {
    var page: [String: JSONValue] = [
      "object": "page", "id": .string(FakeNotion.dashed(id)), "created_time": .string(created),
      "last_edited_time": .string(edited), "in_trash": false, "is_archived": false, "icon": .null,
      "cover": .null, "parent": parent, "properties": properties, "public_url": .null,
      "url": .string("https://app.notion.com/p/Page-\(id)"),
    ]
    page.merge(extra) { _, new in new }
    pages[id] = FakeNotion.Record(.object(page))
  }

  mutating func change(_ page: String, _ change: (inout [String: JSONValue]) -> Void) {
    guard let record = pages[page], case .object(var members) = record.value else { return }
    change(&members)
    var changed = FakeNotion.Record(.object(members))
    changed.isShared = record.isShared
    changed.isFound = record.isFound
    changed.inTrash = members["in_trash"]?.bool ?? false
    pages[page] = changed
  }

  /// Stores blocks with their descendants, with a work list instead of recursion.
  mutating func setBlocks(_ blocks: [FakeBlock], of container: String, page: String) {
    var pending = [(container, blocks)]
    while let (holder, blocks) = pending.popLast() {
      var texts: [String] = []
      for block in blocks {
        let id = block.id ?? nextID()
        let parent: JSONValue =
          holder == page
          ? ["type": "page_id", "page_id": .string(FakeNotion.dashed(page))]
          : ["type": "block_id", "block_id": .string(FakeNotion.dashed(holder))]
        let value: JSONValue = .object([
          "object": "block", "id": .string(FakeNotion.dashed(id)), "parent": parent,
          "type": .string(block.type), block.type: block.payload, "in_trash": false,
          "has_children": .bool(block.claimsChildren ?? !block.children.isEmpty),
          "created_time": .string(FakeNotion.quietTime),
          "last_edited_time": .string(FakeNotion.quietTime),
        ])
        let record = FakeNotion.Record(value)
        self.blocks[id] = record
        texts.append(record.text)
        if !block.children.isEmpty { pending.append((id, block.children)) }
      }
      children[holder] = texts
    }
  }
}
