package import ArchiverCore
import BookCatalogAdapter
import NotionAdapter
import ReadeckAdapter

/// All built-in kinds of sources, in the order in which they are listed.
package let sourceKinds: [any SourceAdapter.Type] = [
  ReadeckAdapter.self, NotionAdapter.self, BookCatalogAdapter.self,
]
