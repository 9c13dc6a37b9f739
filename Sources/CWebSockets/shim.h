#pragma once
#include <libwebsockets.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

// Macros and variadic functions that Swift cannot see, one inline function each.

/// A timer of a libwebsockets context with room for the Swift object it belongs to.
typedef struct {
    lws_sorted_usec_list_t entry; // first, so that the callback's pointer is also a pointer to this
    void *owner;
} cws_timer;

/// Closes `wsi` on the loop's next turn; never calls back before it returns.
static inline void cws_close_soon(struct lws *wsi) {
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

/// Sends every libwebsockets log line nowhere.
static inline void cws_silence(void) {
    lws_set_log_level(0, NULL);
}

/// Both modes that a session over memory BIOs needs, and the buffers of an idle one freed.
static inline void cws_ssl_set_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE
                                  | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
}

static inline int cws_ssl_set_server_name(SSL *session, const char *name) {
    return (int)SSL_set_tlsext_host_name(session, name);
}

/// What a memory BIO holds, without copying it; gone with the next call on the BIO.
static inline long cws_bio_content(BIO *bio, char **bytes) {
    return BIO_get_mem_data(bio, bytes);
}

static inline void cws_bio_clear(BIO *bio) {
    (void)BIO_reset(bio);
}

// Declared here: defining _GNU_SOURCE would give other modules' structs two shapes.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

/// Accepts a connection whose descriptor does not block and is not inherited.
static inline int cws_accept(int descriptor, struct sockaddr *address, socklen_t *length) {
    return accept4(descriptor, address, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
