#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __APPLE__
static const char *const file_name = "libcurl.4.dylib";
#else
static const char *const file_name = "libcurl.so.4";
#endif

// All functions used, for the macros below.
#define EACH_FUNCTION(X)                                                                          \
  X(curl_easy_cleanup)                                                                            \
  X(curl_easy_getinfo)                                                                            \
  X(curl_easy_init)                                                                               \
  X(curl_easy_nextheader)                                                                         \
  X(curl_easy_setopt)                                                                             \
  X(curl_easy_strerror)                                                                           \
  X(curl_free)                                                                                    \
  X(curl_getdate)                                                                                 \
  X(curl_global_init)                                                                             \
  X(curl_multi_add_handle)                                                                        \
  X(curl_multi_cleanup)                                                                           \
  X(curl_multi_info_read)                                                                         \
  X(curl_multi_init)                                                                              \
  X(curl_multi_remove_handle)                                                                     \
  X(curl_multi_setopt)                                                                            \
  X(curl_multi_socket_action)                                                                     \
  X(curl_slist_append)                                                                            \
  X(curl_slist_free_all)                                                                          \
  X(curl_url)                                                                                     \
  X(curl_url_cleanup)                                                                             \
  X(curl_url_get)                                                                                 \
  X(curl_url_set)                                                                                 \
  X(curl_version)                                                                                 \
  X(curl_version_info)

static struct {
#define MEMBER(name) __typeof__(&name) name;
  EACH_FUNCTION(MEMBER)
#undef MEMBER
} library;

static pthread_once_t once = PTHREAD_ONCE_INIT;

// Ends the process like the dynamic loader if a library is missing.
static void give_up(void) {
  const char *reason = dlerror();
  dprintf(
      STDERR_FILENO, "archiver: libcurl cannot be loaded: %s\nInstall libcurl 4 (Debian: libcurl4).\n",
      reason ? reason : file_name);
  _exit(127);
}

static void load(void) {
  void *handle = dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
  if (!handle) give_up();
#define FIND(name) \
  library.name = (__typeof__(&name))dlsym(handle, #name); \
  if (!library.name) give_up();
  EACH_FUNCTION(FIND)
#undef FIND
}

static inline __typeof__(&library) loaded(void) {
  pthread_once(&once, load);
  return &library;
}

void curl_easy_cleanup(CURL *easy) { loaded()->curl_easy_cleanup(easy); }
CURL *curl_easy_init(void) { return loaded()->curl_easy_init(); }

struct curl_header *curl_easy_nextheader(
    CURL *easy, unsigned int origin, int request, struct curl_header *previous) {
  return loaded()->curl_easy_nextheader(easy, origin, request, previous);
}

const char *curl_easy_strerror(CURLcode code) { return loaded()->curl_easy_strerror(code); }
void curl_free(void *bytes) { loaded()->curl_free(bytes); }

time_t curl_getdate(const char *text, const time_t *now) {
  return loaded()->curl_getdate(text, now);
}

CURLcode curl_global_init(long flags) { return loaded()->curl_global_init(flags); }

CURLMcode curl_multi_add_handle(CURLM *multi, CURL *easy) {
  return loaded()->curl_multi_add_handle(multi, easy);
}

CURLMcode curl_multi_cleanup(CURLM *multi) { return loaded()->curl_multi_cleanup(multi); }

CURLMsg *curl_multi_info_read(CURLM *multi, int *remaining) {
  return loaded()->curl_multi_info_read(multi, remaining);
}

CURLM *curl_multi_init(void) { return loaded()->curl_multi_init(); }

CURLMcode curl_multi_remove_handle(CURLM *multi, CURL *easy) {
  return loaded()->curl_multi_remove_handle(multi, easy);
}

// The header defines a macro with this name.
#undef curl_multi_socket_action
CURLMcode curl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running) {
  return loaded()->curl_multi_socket_action(multi, socket, events, running);
}

struct curl_slist *curl_slist_append(struct curl_slist *list, const char *text) {
  return loaded()->curl_slist_append(list, text);
}

void curl_slist_free_all(struct curl_slist *list) { loaded()->curl_slist_free_all(list); }
CURLU *curl_url(void) { return loaded()->curl_url(); }
void curl_url_cleanup(CURLU *url) { loaded()->curl_url_cleanup(url); }

CURLUcode archiver_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
  return loaded()->curl_url_get(url, part, text, flags);
}

CURLUcode curl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
  return loaded()->curl_url_set(url, part, text, flags);
}

char *curl_version(void) { return loaded()->curl_version(); }

curl_version_info_data *curl_version_info(CURLversion age) {
  return loaded()->curl_version_info(age);
}

CURLcode archiver_set_long(CURL *easy, CURLoption option, long value) {
  return loaded()->curl_easy_setopt(easy, option, value);
}

CURLcode archiver_set_string(CURL *easy, CURLoption option, const char *value) {
  return loaded()->curl_easy_setopt(easy, option, value);
}

CURLcode archiver_set_pointer(CURL *easy, CURLoption option, void *value) {
  return loaded()->curl_easy_setopt(easy, option, value);
}

CURLcode archiver_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return loaded()->curl_easy_setopt(easy, option, value);
}

CURLcode archiver_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  return loaded()->curl_easy_setopt(easy, option, value);
}

CURLcode archiver_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return loaded()->curl_easy_setopt(easy, option, bytes ? &blob : (struct curl_blob *)0);
}

CURLcode archiver_set_write_function(CURL *easy, curl_write_callback function) {
  return loaded()->curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, function);
}

CURLcode archiver_set_read_function(CURL *easy, curl_read_callback function) {
  return loaded()->curl_easy_setopt(easy, CURLOPT_READFUNCTION, function);
}

CURLcode archiver_set_seek_function(CURL *easy, curl_seek_callback function) {
  return loaded()->curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, function);
}

CURLcode archiver_set_header_function(CURL *easy, curl_write_callback function) {
  return loaded()->curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, function);
}

CURLcode archiver_set_opensocket_function(CURL *easy, curl_opensocket_callback function) {
  return loaded()->curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, function);
}

CURLcode archiver_set_prereq_function(CURL *easy, curl_prereq_callback function) {
  return loaded()->curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, function);
}

CURLcode archiver_get_long(CURL *easy, CURLINFO info, long *value) {
  return loaded()->curl_easy_getinfo(easy, info, value);
}

CURLcode archiver_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return loaded()->curl_easy_getinfo(easy, info, value);
}

CURLcode archiver_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return loaded()->curl_easy_getinfo(easy, info, value);
}

CURLMcode archiver_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return loaded()->curl_multi_setopt(multi, option, value);
}

CURLMcode archiver_multi_set_socket_function(
    CURLM *multi, curl_socket_callback function, void *context) {
  loaded()->curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  return loaded()->curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, function);
}

CURLMcode archiver_multi_set_timer_function(
    CURLM *multi, curl_multi_timer_callback function, void *context) {
  loaded()->curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return loaded()->curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, function);
}
