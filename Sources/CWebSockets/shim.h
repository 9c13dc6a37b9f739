#pragma once
#include <libwebsockets.h>
#include <errno.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

// Macros, and what belongs to a single call, that Swift cannot say.

/// What `lws_write` may write on in front of a payload.
static const int cws_headroom = LWS_PRE;

/// Sends every libwebsockets log line nowhere.
static inline void cws_silence(void) {
    lws_set_log_level(0, NULL);
}

/// As `lws_create_vhost`, which reports why it failed in `errno` only.
static inline struct lws_vhost *cws_create_vhost(
    struct lws_context *context, const struct lws_context_creation_info *info, int *error) {
    errno = 0;
    struct lws_vhost *vhost = lws_create_vhost(context, info);
    *error = errno;
    return vhost;
}

/// TLS 1.2 or newer, and the buffers of an idle session freed.
static inline void cws_tls_prepare(SSL_CTX *context) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}
