#pragma once
// The checks of types replace calls by blocks.
#define CURL_DISABLE_TYPECHECK 1
#include <curl/curl.h>

// curl's option functions are variadic, which Swift cannot call. There is one function for each
// type of argument.

static inline CURLcode archiver_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode archiver_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode archiver_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode archiver_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode archiver_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

// curl copies the bytes; a null pointer removes the option.
static inline CURLcode archiver_set_blob(
    CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, bytes ? &blob : (struct curl_blob *)0);
}

static inline CURLcode archiver_set_write_function(CURL *easy, curl_write_callback function) {
  return curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
}

static inline CURLcode archiver_set_read_function(CURL *easy, curl_read_callback function) {
  return curl_easy_setopt(easy, CURLOPT_READFUNCTION, function);
}

static inline CURLcode archiver_set_seek_function(CURL *easy, curl_seek_callback function) {
  return curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode archiver_set_header_function(CURL *easy, curl_write_callback function) {
  return curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, function);
}

static inline CURLcode archiver_set_opensocket_function(
    CURL *easy, curl_opensocket_callback function) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode archiver_set_prereq_function(CURL *easy, curl_prereq_callback function) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode archiver_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode archiver_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode archiver_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode archiver_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode archiver_multi_set_socket_function(
    CURLM *multi, curl_socket_callback function, void *context) {
  curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

static inline CURLMcode archiver_multi_set_timer_function(
    CURLM *multi, curl_multi_timer_callback function, void *context) {
  curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}

// curl_url_get, whose first argument has another type in some versions.
static inline CURLUcode archiver_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
  return curl_url_get(url, part, text, flags);
}

// Macros with casts, which Swift does not import.

static const long archiver_auth_basic = (long)CURLAUTH_BASIC;
static const long archiver_auth_digest = (long)CURLAUTH_DIGEST;
static const curl_socket_t archiver_socket_bad = CURL_SOCKET_BAD;
static const size_t archiver_write_error = (size_t)0xFFFFFFFF;
static const size_t archiver_read_abort = (size_t)CURL_READFUNC_ABORT;
static const long archiver_global_all = CURL_GLOBAL_ALL;
