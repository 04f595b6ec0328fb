// The one place that chooses a C library and a Foundation; all other files get both by importing
// ArchiverCore. On Linux FoundationEssentials suffices and makes a static binary much smaller;
// Apple's systems have only the complete one.
#if canImport(Glibc)
  @_exported public import Glibc
#else
  @_exported public import Darwin
#endif
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif
