import ArchiverCore
import ArchiverSite
import ArchiverStorage

extension ItemLoop {
  /// Does ahead for the library what can be done while a batch is written to disk, when there is little
  /// else to do.
  ///
  /// - Parameter isLast: Whether no item comes after the batch: what the last update left of the library
  ///   then takes the place of what items needed.
  static func prepare(
    _ library: LibraryBuilder, for batch: [BundlePublisher.Entry], isLast: Bool,
    _ group: inout TaskGroup<Step>
  ) {
    let keys = batch.map(\.item.bundle.item.key)
    group.addTask {
      library.prepare(keys)
      return .prepared
    }
    group.addTask {
      if isLast { Heap.trim() }
      library.prepare()
      return .prepared
    }
  }
}
