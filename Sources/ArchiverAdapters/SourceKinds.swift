package import ArchiverCore
import BookCatalogAdapter
import NotionAdapter
import ReadeckAdapter

/// Every kind of source that is built in, in the order they are listed.
package let sourceKinds: [any SourceAdapter.Type] = [
  ReadeckAdapter.self, NotionAdapter.self, BookCatalogAdapter.self,
]
