package import ArchiverCore

/// How an archive is opened.
package enum ArchiveMode: Sendable {
  /// Alone, creating the archive where there is none. The holder names who asks, such as `run`,
  /// for the message that others get meanwhile.
  case readWrite(holder: String)
  /// Beside anyone else; the archive must exist.
  case readOnly
}

/// Settings of an open archive.
package struct ArchiveOptions: Sendable {
  /// Bytes to keep free on the disk.
  package var reserve: Int
  /// Lets tests fail steps.
  package var faults: (any FaultInjector)?
  /// What makes one of the several addresses that an item of a kind has, for links between items.
  package var linkForms: [AdapterProperties.LinkForm]
  /// Classes of links that show the title of what they lead to.
  package var titleClasses: Set<String>

  package init(
    reserve: Int = 100_000_000, faults: (any FaultInjector)? = nil,
    linkForms: [AdapterProperties.LinkForm] = [], titleClasses: Set<String> = []
  ) {
    self.reserve = reserve
    self.faults = faults
    self.linkForms = linkForms
    self.titleClasses = titleClasses
  }
}
