import ArchiverCore
import ArchiverSite
import ArchiverStorage

extension ItemLoop {
  /// Prepares the library's update while a batch is flushed and little else is in progress.
  ///
  /// - Parameter isLast: Whether no item follows the batch: then the library's caches are read ahead, in memory that items no longer need.
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
