package import ArchiverCore

/// The access mode of an archive.
package enum ArchiveMode: Sendable {
  /// Exclusive; creates the archive if there is none. The holder, such as `run`, is named in the
  /// error that other processes get meanwhile.
  case readWrite(holder: String)
  /// Shared with other processes; the archive must exist.
  case readOnly
}

/// Settings of an open archive.
package struct ArchiveOptions: Sendable {
  /// The minimum number of bytes to keep free on the disk.
  package var reserve: Int
  /// The fault injector of tests.
  package var faults: (any FaultInjector)?
  /// Functions that normalise the URLs of each kind's items, for links between items.
  package var linkForms: [AdapterProperties.LinkForm]
  /// Classes of links that show the title of their target.
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
