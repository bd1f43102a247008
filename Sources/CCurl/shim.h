// libcurl's setters take any argument, which Swift can't call: one function for each kind of
// argument stands in for them. What a library before 7.87 lacks answers CURLE_UNKNOWN_OPTION.

#include <curl/curl.h>

typedef size_t (*ccurl_transfer_callback)(char *, size_t, size_t, void *);
typedef int (*ccurl_progress_callback)(void *, curl_off_t, curl_off_t, curl_off_t, curl_off_t);
typedef curl_socket_t (*ccurl_socket_callback)(void *, curlsocktype, struct curl_sockaddr *);
typedef int (*ccurl_prerequest_callback)(void *, char *, char *, int, int);

static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_headers(CURL *handle, struct curl_slist *value) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, value);
}

static inline CURLcode ccurl_set_transfer(
    CURL *handle, CURLoption option, ccurl_transfer_callback callback) {
    return curl_easy_setopt(handle, option, callback);
}

static inline CURLcode ccurl_set_progress(CURL *handle, ccurl_progress_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, callback);
}

static inline CURLcode ccurl_set_socket(CURL *handle, ccurl_socket_callback callback) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}

// Called whenever a connection stands and the request is about to be written to it.
static inline CURLcode ccurl_set_prerequest(
    CURL *handle, ccurl_prerequest_callback callback, void *context) {
#if LIBCURL_VERSION_NUM >= 0x075000
    CURLcode code = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
#else
    return CURLE_UNKNOWN_OPTION;
#endif
}

static inline CURLcode ccurl_allow_http_only(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Lets a handle go without waiting for its look-up of a name.
static inline CURLcode ccurl_leave_lookups(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
    return CURLE_UNKNOWN_OPTION;
#endif
}

// The file of certificates that the library was built to trust, or null.
static inline const char *ccurl_default_certificates(CURL *handle) {
    char *path = 0;
#if LIBCURL_VERSION_NUM >= 0x075400
    if (curl_easy_getinfo(handle, CURLINFO_CAINFO, &path) != CURLE_OK) { return 0; }
#endif
    return path;
}

static inline void *ccurl_private(CURL *handle) {
    char *context = 0;
    return curl_easy_getinfo(handle, CURLINFO_PRIVATE, &context) == CURLE_OK ? context : 0;
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURL *ccurl_finished_handle(CURLMsg *message) {
    return message->msg == CURLMSG_DONE ? message->easy_handle : 0;
}

static inline CURLcode ccurl_result(CURLMsg *message) { return message->data.result; }
