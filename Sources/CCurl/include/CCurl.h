#pragma once
// The checks of types replace calls by blocks, which cannot be called through a pointer.
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

// libcurl's functions, declared by its own header. CCurl.c defines them and loads the library when
// the first of them is called, because libcurl and the libraries that it needs take longer to load
// than the rest of a short command.

// curl's option functions are variadic, which Swift cannot call. There is one function for each
// type of argument.

CURLcode archiver_set_long(CURL *easy, CURLoption option, long value);
CURLcode archiver_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode archiver_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode archiver_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode archiver_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
// curl copies the bytes; a null pointer removes the option.
CURLcode archiver_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count);
CURLcode archiver_set_write_function(CURL *easy, curl_write_callback function);
CURLcode archiver_set_read_function(CURL *easy, curl_read_callback function);
CURLcode archiver_set_seek_function(CURL *easy, curl_seek_callback function);
CURLcode archiver_set_header_function(CURL *easy, curl_write_callback function);
CURLcode archiver_set_opensocket_function(CURL *easy, curl_opensocket_callback function);
CURLcode archiver_set_prereq_function(CURL *easy, curl_prereq_callback function);
CURLcode archiver_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode archiver_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);
CURLcode archiver_get_pointer(CURL *easy, CURLINFO info, void **value);
CURLMcode archiver_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode archiver_multi_set_socket_function(CURLM *multi, curl_socket_callback function, void *context);
CURLMcode archiver_multi_set_timer_function(CURLM *multi, curl_multi_timer_callback function, void *context);

// curl_url_get, whose first argument has another type in some versions.
CURLUcode archiver_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);

// Macros with casts, which Swift does not import.

static const long archiver_auth_basic = (long)CURLAUTH_BASIC;
static const long archiver_auth_digest = (long)CURLAUTH_DIGEST;
static const curl_socket_t archiver_socket_bad = CURL_SOCKET_BAD;
static const size_t archiver_write_error = (size_t)0xFFFFFFFF;
static const size_t archiver_read_abort = (size_t)CURL_READFUNC_ABORT;
static const long archiver_global_all = CURL_GLOBAL_ALL;
