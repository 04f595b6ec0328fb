#ifndef CBUILDINFO_H
#define CBUILDINFO_H

/// The commit that the program was built from; empty where that is not known.
const char *archiver_commit(void);

/// The day of that commit, as 2026-11-27; empty where that is not known.
const char *archiver_build_date(void);

#endif
