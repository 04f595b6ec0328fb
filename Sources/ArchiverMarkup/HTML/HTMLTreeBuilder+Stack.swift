extension HTMLTreeBuilder {
  var current: Int32 { open[open.count - 1] }

  /// The innermost element, or the context of a fragment if only its root is open.
  var adjustedCurrent: Int32 { context != 0 && open.count == 1 ? context : current }

  /// Whether the innermost element is an HTML element with this tag.
  func isCurrent(_ tag: HTMLTag) -> Bool { isHTML(current, tag) }

  func isHTML(_ node: Int32, _ tag: HTMLTag) -> Bool {
    let node = tree[node]
    return node.namespace == .html && node.tag == tag
  }

  // MARK: Opening and closing

  mutating func push(_ node: Int32) {
    if open.count >= Self.maximumDepth, let last = open.last {
      hidden.append(last)
      tree.lostElements += 1
      removeOpen(at: open.count - 1)
    }
    insertOpen(node, at: open.count)
    tree[node].isOpen = true
  }

  /// Closes the innermost element; never the last one.
  mutating func pop() {
    guard open.count > 1 else { return }
    tree[current].isOpen = false
    removeOpen(at: open.count - 1)
    if open.count == Self.maximumDepth - 1, let next = hidden.popLast() {
      insertOpen(next, at: open.count)
    }
  }

  mutating func insertOpen(_ node: Int32, at index: Int) {
    let kind = HTMLOpenKind(tree[node])
    if index == open.count {
      open.append(node)
      kinds.append(kind)
    } else {
      open.insert(node, at: index)
      kinds.insert(kind, at: index)
    }
    if kind.isHTML { openCounts[Int(kind.tag.rawValue)] += 1 }
  }

  mutating func removeOpen(at index: Int) {
    open.remove(at: index)
    let kind = kinds.remove(at: index)
    if kind.isHTML { openCounts[Int(kind.tag.rawValue)] -= 1 }
  }

  /// Removes an element from the open ones.
  mutating func removeFromOpen(_ node: Int32) {
    guard let index = open.lastIndex(of: node) else { return }
    if index == open.count - 1 { return pop() }
    removeOpen(at: index)
    tree[node].isOpen = false
  }

  /// Closes elements up to and including an HTML element with a matching tag.
  mutating func popThrough(_ isEnd: (HTMLTag) -> Bool) {
    while open.count > 1 {
      let node = tree[current]
      pop()
      if node.namespace == .html, isEnd(node.tag) { return }
    }
  }

  mutating func popThrough(_ tag: HTMLTag) { popThrough { $0 == tag } }

  mutating func popThrough(node: Int32) {
    while open.count > 1 {
      let last = current
      pop()
      if last == node { return }
    }
  }

  /// Closes elements until the innermost one is an HTML element with a matching tag.
  mutating func popTo(_ isEnd: (HTMLTag) -> Bool) {
    while open.count > 1 {
      let node = tree[current]
      if node.namespace == .html, isEnd(node.tag) { return }
      pop()
    }
  }

  mutating func popImplied(except tag: HTMLTag = .other) {
    while open.count > 1 {
      let node = tree[current]
      guard node.namespace == .html, node.tag.hasImpliedEnd, node.tag != tag else { return }
      pop()
    }
  }

  mutating func popThoroughlyImplied() {
    while open.count > 1 {
      let node = tree[current]
      guard node.namespace == .html, node.tag.hasThoroughlyImpliedEnd else { return }
      pop()
    }
  }

  // MARK: Scope

  /// Whether a wanted element is found before one that ends the search.
  @inline(__always)
  private func isFound(
    _ isWanted: (HTMLOpenKind) -> Bool, before isEnd: (HTMLOpenKind) -> Bool
  ) -> Bool {
    var index = kinds.count - 1
    while index >= 0 {
      let kind = kinds[index]
      if isWanted(kind) { return true }
      if isEnd(kind) { return false }
      index -= 1
    }
    return false
  }

  func isInScope(_ tag: HTMLTag) -> Bool {
    isOpen(tag) && isFound({ $0.isHTML(tag) }, before: { $0.isScopeMarker })
  }

  func isHeadingInScope() -> Bool {
    guard
      isOpen(.h1) || isOpen(.h2) || isOpen(.h3) || isOpen(.h4) || isOpen(.h5) || isOpen(.h6)
    else { return false }
    return isFound({ $0.isHTML && $0.tag.isHeading }, before: { $0.isScopeMarker })
  }

  func isInScope(node: Int32) -> Bool {
    var index = open.count - 1
    while index >= 0 {
      if open[index] == node { return true }
      if kinds[index].isScopeMarker { return false }
      index -= 1
    }
    return false
  }

  func isInButtonScope(_ tag: HTMLTag) -> Bool {
    isOpen(tag)
      && isFound({ $0.isHTML(tag) }, before: { $0.isScopeMarker || $0.isHTML(.button) })
  }

  func isInListScope(_ tag: HTMLTag) -> Bool {
    isOpen(tag)
      && isFound(
        { $0.isHTML(tag) }, before: { $0.isScopeMarker || $0.isHTML(.ol) || $0.isHTML(.ul) })
  }

  func isInTableScope(_ tag: HTMLTag) -> Bool {
    isOpen(tag) && isFound({ $0.isHTML(tag) }, before: { endsTableScope($0) })
  }

  /// Whether an element with one of these tags is in table scope.
  func isInTableScope(_ one: HTMLTag, _ two: HTMLTag, _ three: HTMLTag) -> Bool {
    (isOpen(one) || isOpen(two) || isOpen(three))
      && isFound(
        { $0.isHTML(one) || $0.isHTML(two) || $0.isHTML(three) },
        before: { endsTableScope($0) })
  }

  private func endsTableScope(_ kind: HTMLOpenKind) -> Bool {
    kind.isHTML(.html) || kind.isHTML(.table) || kind.isHTML(.template)
  }

  func isOpen(_ tag: HTMLTag) -> Bool { openCounts[Int(tag.rawValue)] > 0 }

  // MARK: Places

  /// Returns where to insert a node: the parent, and the child before which (0: at the end).
  func place(for target: Int32) -> (parent: Int32, before: Int32) {
    let node = tree[target]
    if usesFosterParent, node.namespace == .html, node.tag.isTablePart { return fosterPlace() }
    if node.namespace == .html, node.tag == .template, node.content != 0 {
      return (node.content, 0)
    }
    // Beyond the maximum depth, an element is no longer used as a parent once a sibling follows it.
    if node.next != 0, open.count >= Self.maximumDepth, target == current, !isTable(node.next) {
      return (node.parent, 0)
    }
    return (target, 0)
  }

  private func isTable(_ node: Int32) -> Bool { isHTML(node, .table) }

  private func fosterPlace() -> (parent: Int32, before: Int32) {
    var index = open.count - 1
    while index > 0 {
      let node = tree[open[index]]
      if node.namespace == .html {
        if node.tag == .template, node.content != 0 { return (node.content, 0) }
        if node.tag == .table {
          if node.parent != 0 { return (node.parent, open[index]) }
          let above = tree[open[index - 1]]
          return (above.content != 0 ? above.content : open[index - 1], 0)
        }
      }
      index -= 1
    }
    return (open[0], 0)
  }

  // MARK: Inserting

  mutating func insertText(_ slice: HTMLSlice) {
    let place = place(for: current)
    tree.insertText(slice, into: place.parent, before: place.before)
  }

  mutating func insertComment(into parent: Int32? = nil) {
    let place = parent.map { ($0, 0) } ?? place(for: current)
    tree.insert(
      tree.addText(tokenizer.slice, kind: .comment), into: place.0, before: place.1)
  }

  /// Creates the element of the current start tag.
  mutating func makeElement(_ namespace: HTMLNamespace = .html) -> Int32 {
    let attributes = tokenizer.attributes
    var node = HTMLNode(kind: .element, namespace: namespace, tag: tag, name: tokenizer.name)
    node.first = Int32(tree.attributes.count)
    node.last = Int32(attributes.count)
    tree.attributes.append(contentsOf: attributes)
    return tree.add(node)
  }

  @discardableResult
  mutating func insertElement(_ namespace: HTMLNamespace = .html) -> Int32 {
    let node = makeElement(namespace)
    insert(node)
    return node
  }

  /// Inserts an element at its place and opens it.
  mutating func insert(_ node: Int32) {
    let place = place(for: current)
    tree.insert(node, into: place.parent, before: place.before)
    push(node)
  }

  /// Creates and opens an HTML element without a tag in the input.
  @discardableResult
  mutating func insertImplied(_ tag: HTMLTag) -> Int32 {
    let node = tree.add(HTMLNode(kind: .element, tag: tag, name: Int32(tag.rawValue)))
    if open.isEmpty {
      tree.insert(node, into: HTMLTree.document)
      push(node)
    } else {
      insert(node)
    }
    return node
  }

  /// Inserts a void element.
  mutating func insertVoid() {
    insertElement()
    pop()
  }
}
