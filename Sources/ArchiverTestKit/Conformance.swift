// The adapter conformance kit is a module of its own because the product runs it too, for programs
// that act as sources; tests reach it with everything else they need.
@_exported public import ArchiverConformance
