// The one place that chooses a Foundation. On Linux the small FoundationEssentials is
// enough and keeps a static binary 44 MB smaller; Apple's systems have only the whole one.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
