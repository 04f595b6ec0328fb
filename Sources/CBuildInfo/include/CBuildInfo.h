#ifndef CBUILDINFO_H
#define CBUILDINFO_H

/// The commit from which the program was built; empty if unknown.
const char *archiver_commit(void);

/// The date of that commit, such as 2026-11-27; empty if unknown.
const char *archiver_build_date(void);

#endif
