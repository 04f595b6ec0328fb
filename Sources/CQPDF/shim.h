#pragma once
#include <stddef.h>

// Types of the functions of libqpdf (qpdf/qpdf-c.h, from 10.6 on) that are looked up at run time.
//
// The library is loaded on demand, because it brings C++ and a TLS library, which would slow down
// every start of the program. If its header is installed, the compiler checks these types against
// it.

typedef void *archiver_qpdf;
typedef unsigned int archiver_qpdf_object;

typedef char const *(*archiver_qpdf_version)(void);
typedef archiver_qpdf (*archiver_qpdf_init)(void);
typedef void (*archiver_qpdf_cleanup)(archiver_qpdf *);
typedef void (*archiver_qpdf_silence)(archiver_qpdf);
typedef void (*archiver_qpdf_suppress)(archiver_qpdf, int);
typedef int (*archiver_qpdf_read)(archiver_qpdf, char const *, char const *);
typedef int (*archiver_qpdf_flag)(archiver_qpdf);
typedef void *(*archiver_qpdf_error)(archiver_qpdf);
typedef int (*archiver_qpdf_code)(archiver_qpdf, void *);
typedef archiver_qpdf_object (*archiver_qpdf_root)(archiver_qpdf);
typedef archiver_qpdf_object (*archiver_qpdf_key)(archiver_qpdf, archiver_qpdf_object, char const *);
typedef char const *(*archiver_qpdf_text)(archiver_qpdf, archiver_qpdf_object);
typedef int (*archiver_qpdf_test)(archiver_qpdf, archiver_qpdf_object);
typedef long long (*archiver_qpdf_number)(archiver_qpdf, archiver_qpdf_object);

#if __has_include(<qpdf/qpdf-c.h>)
#include <qpdf/qpdf-c.h>

#define ARCHIVER_SAME(type, function)                                                              \
  _Static_assert(__builtin_types_compatible_p(type, __typeof__(&function)), #function)
_Static_assert(sizeof(archiver_qpdf) == sizeof(qpdf_data), "qpdf_data");
ARCHIVER_SAME(char const *(*)(), qpdf_get_qpdf_version);
ARCHIVER_SAME(qpdf_data (*)(), qpdf_init);
ARCHIVER_SAME(void (*)(qpdf_data *), qpdf_cleanup);
ARCHIVER_SAME(void (*)(qpdf_data), qpdf_silence_errors);
ARCHIVER_SAME(void (*)(qpdf_data, int), qpdf_set_suppress_warnings);
ARCHIVER_SAME(int (*)(qpdf_data, char const *, char const *), qpdf_read);
ARCHIVER_SAME(int (*)(qpdf_data), qpdf_has_error);
ARCHIVER_SAME(qpdf_error (*)(qpdf_data), qpdf_get_error);
ARCHIVER_SAME(enum qpdf_error_code_e (*)(qpdf_data, qpdf_error), qpdf_get_error_code);
_Static_assert(sizeof(enum qpdf_error_code_e) == sizeof(int), "qpdf_error_code_e");
_Static_assert(qpdf_e_password == 4, "qpdf_e_password");
ARCHIVER_SAME(archiver_qpdf_object (*)(qpdf_data), qpdf_get_trailer);
ARCHIVER_SAME(char const *(*)(qpdf_data, archiver_qpdf_object), qpdf_oh_get_utf8_value);
ARCHIVER_SAME(int (*)(qpdf_data, archiver_qpdf_object), qpdf_oh_is_string);
ARCHIVER_SAME(archiver_qpdf_object (*)(qpdf_data), qpdf_get_root);
ARCHIVER_SAME(
    archiver_qpdf_object (*)(qpdf_data, archiver_qpdf_object, char const *), qpdf_oh_get_key_if_dict);
ARCHIVER_SAME(int (*)(qpdf_data, archiver_qpdf_object), qpdf_oh_is_integer);
ARCHIVER_SAME(long long (*)(qpdf_data, archiver_qpdf_object), qpdf_oh_get_int_value);
#undef ARCHIVER_SAME
#endif
