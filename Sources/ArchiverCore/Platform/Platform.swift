// The one place that chooses a Foundation. On Linux FoundationEssentials suffices and makes a
// static binary much smaller; Apple's systems have only the complete one.
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
