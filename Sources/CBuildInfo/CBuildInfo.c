#include "CBuildInfo.h"

#ifndef ARCHIVER_COMMIT
#define ARCHIVER_COMMIT ""
#endif
#ifndef ARCHIVER_BUILD_DATE
#define ARCHIVER_BUILD_DATE ""
#endif

const char *archiver_commit(void) { return ARCHIVER_COMMIT; }
const char *archiver_build_date(void) { return ARCHIVER_BUILD_DATE; }
