#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Types of the functions of libarchive 3 (archive.h, archive_entry.h) that are looked up at run
// time.
//
// The library is loaded on demand, because it and the libraries that it needs would slow down every
// start of the program. If its header is installed, the compiler checks these types against it.

typedef void *archiver_archive;
typedef void *archiver_archive_entry;

typedef char const *(*archiver_archive_version)(void);
typedef archiver_archive (*archiver_archive_new)(void);
typedef int (*archiver_archive_do)(archiver_archive);
typedef int (*archiver_archive_open)(archiver_archive, char const *, size_t);
typedef int (*archiver_archive_next)(archiver_archive, archiver_archive_entry *);
typedef int (*archiver_archive_block)(archiver_archive, void const **, size_t *, int64_t *);
typedef char const *(*archiver_archive_problem)(archiver_archive);
typedef char const *(*archiver_archive_entry_text)(archiver_archive_entry);
typedef mode_t (*archiver_archive_entry_type)(archiver_archive_entry);
typedef int (*archiver_archive_entry_flag)(archiver_archive_entry);

#if __has_include(<archive.h>) && __has_include(<archive_entry.h>)
#include <archive.h>
#include <archive_entry.h>

#define ARCHIVER_SAME(type, function)                                                              \
  _Static_assert(__builtin_types_compatible_p(type, __typeof__(&function)), #function)
ARCHIVER_SAME(char const *(*)(void), archive_version_string);
ARCHIVER_SAME(struct archive *(*)(void), archive_read_new);
ARCHIVER_SAME(int (*)(struct archive *), archive_read_free);
ARCHIVER_SAME(int (*)(struct archive *), archive_read_support_format_zip);
ARCHIVER_SAME(int (*)(struct archive *), archive_read_support_format_rar);
ARCHIVER_SAME(int (*)(struct archive *), archive_read_support_format_rar5);
ARCHIVER_SAME(int (*)(struct archive *), archive_read_support_format_7zip);
ARCHIVER_SAME(int (*)(struct archive *), archive_read_support_format_tar);
ARCHIVER_SAME(int (*)(struct archive *), archive_read_support_format_raw);
ARCHIVER_SAME(int (*)(struct archive *), archive_read_support_filter_gzip);
ARCHIVER_SAME(int (*)(struct archive *), archive_read_has_encrypted_entries);
ARCHIVER_SAME(int (*)(struct archive *, char const *, size_t), archive_read_open_filename);
ARCHIVER_SAME(int (*)(struct archive *, struct archive_entry **), archive_read_next_header);
ARCHIVER_SAME(
    int (*)(struct archive *, void const **, size_t *, la_int64_t *), archive_read_data_block);
ARCHIVER_SAME(char const *(*)(struct archive *), archive_error_string);
ARCHIVER_SAME(char const *(*)(struct archive_entry *), archive_entry_pathname);
ARCHIVER_SAME(char const *(*)(struct archive_entry *), archive_entry_pathname_utf8);
ARCHIVER_SAME(mode_t (*)(struct archive_entry *), archive_entry_filetype);
ARCHIVER_SAME(int (*)(struct archive_entry *), archive_entry_is_data_encrypted);
_Static_assert(sizeof(la_int64_t) == sizeof(int64_t), "la_int64_t");
_Static_assert(ARCHIVE_EOF == 1 && ARCHIVE_OK == 0 && ARCHIVE_RETRY == -10, "codes");
_Static_assert(ARCHIVE_WARN == -20 && ARCHIVE_FAILED == -25 && ARCHIVE_FATAL == -30, "codes");
_Static_assert(AE_IFREG == 0100000, "AE_IFREG");
#undef ARCHIVER_SAME
#endif
