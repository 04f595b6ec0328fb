#pragma once
// Linux system calls of the C library that its headers show only under _GNU_SOURCE,
// which Swift's Glibc module is built without. Signatures as in syncfs(2) and renameat2(2).
#ifdef __linux__
int syncfs(int fd);
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);
#define ARCHIVER_RENAME_NOREPLACE 1u
#define ARCHIVER_RENAME_EXCHANGE 2u
#endif
