/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * OpenSSL: libssl and libcrypto, each loaded when something of it is called first. What is called has to stand in COpenSSL.c, or
 * the program does not link. */
#ifndef JACKDAW_OPENSSL_H
#define JACKDAW_OPENSSL_H

#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

/* Macros of OpenSSL that Swift does not import, as functions. */

static inline int jackdaw_ssl_ctx_set_min_version(SSL_CTX *context, int version) {
  return SSL_CTX_set_min_proto_version(context, version);
}

static inline int jackdaw_ssl_ctx_set_max_version(SSL_CTX *context, int version) {
  return SSL_CTX_set_max_proto_version(context, version);
}

static inline void jackdaw_ssl_ctx_release_buffers(SSL_CTX *context) {
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

static inline void jackdaw_ssl_ctx_harden(SSL_CTX *context) {
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
}

/* OpenSSL keeps no session itself, and has `callback` do so. */
static inline void jackdaw_ssl_ctx_give_sessions(SSL_CTX *context, int (*callback)(SSL *, SSL_SESSION *)) {
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
  SSL_CTX_sess_set_new_cb(context, callback);
}

static inline int jackdaw_ssl_set_server_name(SSL *session, const char *name) {
  return (int)SSL_set_tlsext_host_name(session, name);
}

static inline int jackdaw_ssl_has_extended_master_secret(SSL *session) {
  return SSL_get_extms_support(session) == 1;
}

static inline X509 *jackdaw_chain_certificate(const STACK_OF(X509) *chain, int index) {
  return sk_X509_value(chain, index);
}

static inline int jackdaw_chain_count(const STACK_OF(X509) *chain) { return chain ? sk_X509_num(chain) : 0; }

static inline int jackdaw_alt_names_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

/* The bytes of one subjectAltName that is a DNS name or an IP address (its type is returned: GEN_DNS, GEN_IPADD),
 * or -1 for one of another kind. */
static inline int jackdaw_alt_name(
    const GENERAL_NAMES *names, int index, const unsigned char **bytes, int *count) {
  const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
  const ASN1_STRING *value;
  if (name->type == GEN_DNS) value = name->d.dNSName;
  else if (name->type == GEN_IPADD) value = name->d.iPAddress;
  else return -1;
  *bytes = ASN1_STRING_get0_data(value);
  *count = ASN1_STRING_length(value);
  return name->type;
}

#endif
