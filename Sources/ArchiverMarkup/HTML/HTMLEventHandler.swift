/// Receives the events of an HTML parser, properly nested: every start has its end.
protocol HTMLEventHandler: AnyObject {
  /// Begins an element; the name is lower-case. An error ends the parse.
  func start(_ name: String, _ attributes: HTMLAttributes, depth: Int) throws(MarkupError)
  /// Ends the innermost element. An error ends the parse.
  func end(_ name: String) throws(MarkupError)
  /// Receives text with resolved references, possibly in pieces.
  func text(_ text: UnsafeBufferPointer<UInt8>) throws(MarkupError)
  /// Receives the content of a script or a style sheet.
  func rawText(_ text: UnsafeBufferPointer<UInt8>)
}

extension HTMLEventHandler {
  func rawText(_ text: UnsafeBufferPointer<UInt8>) {}
}

/// The attributes of an element; names are lower-case and unique.
struct HTMLAttributes {
  private(set) var items: [(name: String, value: String)] = []

  init(_ items: [(name: String, value: String)] = []) {
    self.items = items
  }

  /// The value; empty for an attribute without one, `nil` if it is absent.
  subscript(name: String) -> String? {
    for item in items where item.name == name { return item.value }
    return nil
  }
}
