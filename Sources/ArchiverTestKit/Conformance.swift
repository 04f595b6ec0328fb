// The conformance checks are a module of their own because the product runs them too, for source
// programs.
@_exported public import ArchiverConformance
