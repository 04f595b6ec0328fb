import Testing

/// Behaviour of a real Readeck that differs from its documentation, each with the tests that cover
/// it.
///
/// - `Articles`: a proxy that refuses an article's many headers, pages that are loading, empty or
///   lost, highlights without their colours.
/// - `SyncAnswers`: answers that break off behind a valid end or leave something out.
/// - `Lists`: limits, parameters that come and go with the version, wrong addresses of collections.
/// - `Records`: members that are absent or null, times of any precision.
/// - `Addresses`: login pages with status 200, errors as text, a server that does not know where it is.
///
/// What shows only when pictures are fetched and bundles written is among the end-to-end tests.
enum ReadeckTrapTests {}
