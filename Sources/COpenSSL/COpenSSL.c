/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CLateLibrary.h"
JD_LATE_BEGIN
#include "COpenSSL.h"

#define TEXT(number) #number
#define NUMBER(macro) TEXT(macro)
#define VERSION NUMBER(OPENSSL_SHLIB_VERSION)

/* By itself OpenSSL frees its tables in exit(3) (OPENSSL_init_crypto(3)), where a helper thread that derives a key, which
 * nothing can interrupt, may be reading them: the process would die of SIGSEGV instead of ending with its code. */
static void outlive_exit(void *libcrypto) {
  __typeof__(&OPENSSL_init_crypto) init = jd_late_symbol(libcrypto, "OPENSSL_init_crypto");
  (void)init(OPENSSL_INIT_NO_ATEXIT, NULL);
}

JD_LATE_LIBRARY(libcrypto, "libcrypto.so." VERSION, outlive_exit)

/* libssl readies libcrypto, which has to be told before. */
static void ready_libcrypto(void *libssl) {
  (void)libssl;
  (void)libcrypto();
}

JD_LATE_LIBRARY(libssl, "libssl.so." VERSION, ready_libcrypto)

#define CRYPTO(result, name, parameters, arguments) JD_LATE_FUNCTION(libcrypto, result, name, parameters, arguments)
#define SSL(result, name, parameters, arguments) JD_LATE_FUNCTION(libssl, result, name, parameters, arguments)

CRYPTO(const unsigned char *, ASN1_STRING_get0_data, (const ASN1_STRING *x), (x))
CRYPTO(int, ASN1_STRING_length, (const ASN1_STRING *x), (x))
CRYPTO(int, ASN1_TIME_diff, (int *pday, int *psec, const ASN1_TIME *from, const ASN1_TIME *to), (pday, psec, from, to))
CRYPTO(int, ASN1_TIME_to_tm, (const ASN1_TIME *s, struct tm *tm), (s, tm))
CRYPTO(size_t, BIO_ctrl_pending, (BIO *b), (b))
CRYPTO(BIO *, BIO_new, (const BIO_METHOD *type), (type))
CRYPTO(int, BIO_read, (BIO *b, void *data, int dlen), (b, data, dlen))
CRYPTO(const BIO_METHOD *, BIO_s_mem, (void), ())
CRYPTO(int, BIO_write, (BIO *b, const void *data, int dlen), (b, data, dlen))
CRYPTO(int, CRYPTO_memcmp, (const void *in_a, const void *in_b, size_t len), (in_a, in_b, len))
CRYPTO(void, ERR_clear_error, (void), ())
CRYPTO(unsigned long, ERR_get_error, (void), ())
CRYPTO(const char *, ERR_reason_error_string, (unsigned long e), (e))
CRYPTO(int, EVP_Digest,
  (const void *data, size_t count, unsigned char *md, unsigned int *size, const EVP_MD *type, ENGINE *impl),
  (data, count, md, size, type, impl))
CRYPTO(const EVP_MD *, EVP_get_digestbyname, (const char *name), (name))
CRYPTO(void, EVP_MAC_CTX_free, (EVP_MAC_CTX *ctx), (ctx))
CRYPTO(EVP_MAC_CTX *, EVP_MAC_CTX_new, (EVP_MAC *mac), (mac))
CRYPTO(EVP_MAC *, EVP_MAC_fetch, (OSSL_LIB_CTX *libctx, const char *algorithm, const char *properties),
  (libctx, algorithm, properties))
CRYPTO(int, EVP_MAC_final, (EVP_MAC_CTX *ctx, unsigned char *out, size_t *outl, size_t outsize),
  (ctx, out, outl, outsize))
CRYPTO(void, EVP_MAC_free, (EVP_MAC *mac), (mac))
CRYPTO(int, EVP_MAC_init, (EVP_MAC_CTX *ctx, const unsigned char *key, size_t keylen, const OSSL_PARAM params[]),
  (ctx, key, keylen, params))
CRYPTO(int, EVP_MAC_update, (EVP_MAC_CTX *ctx, const unsigned char *data, size_t datalen), (ctx, data, datalen))
CRYPTO(const EVP_MD *, EVP_sha1, (void), ())
CRYPTO(const EVP_MD *, EVP_sha256, (void), ())
CRYPTO(const EVP_MD *, EVP_sha512, (void), ())
CRYPTO(void, GENERAL_NAMES_free, (GENERAL_NAMES *a), (a))
CRYPTO(unsigned char *, HMAC,
  (const EVP_MD *evp_md, const void *key, int key_len, const unsigned char *data, size_t data_len, unsigned char *md,
   unsigned int *md_len),
  (evp_md, key, key_len, data, data_len, md, md_len))
CRYPTO(const char *, OBJ_nid2sn, (int n), (n))
CRYPTO(void, OPENSSL_cleanse, (void *ptr, size_t len), (ptr, len))
CRYPTO(unsigned long, OpenSSL_version_num, (void), ())
CRYPTO(int, OPENSSL_sk_num, (const OPENSSL_STACK *a), (a))
CRYPTO(void *, OPENSSL_sk_value, (const OPENSSL_STACK *a, int b), (a, b))
CRYPTO(OSSL_PARAM, OSSL_PARAM_construct_end, (void), ())
CRYPTO(OSSL_PARAM, OSSL_PARAM_construct_utf8_string, (const char *key, char *buf, size_t bsize), (key, buf, bsize))
CRYPTO(int, X509_check_host, (X509 *x, const char *chk, size_t chklen, unsigned int flags, char **peername),
  (x, chk, chklen, flags, peername))
CRYPTO(int, X509_check_ip_asc, (X509 *x, const char *ipasc, unsigned int flags), (x, ipasc, flags))
CRYPTO(int, X509_check_purpose, (X509 *x, int id, int ca), (x, id, ca))
CRYPTO(int, X509_cmp_current_time, (const ASN1_TIME *s), (s))
CRYPTO(int, X509_digest, (const X509 *data, const EVP_MD *type, unsigned char *md, unsigned int *len),
  (data, type, md, len))
CRYPTO(void, X509_free, (X509 *a), (a))
CRYPTO(const ASN1_TIME *, X509_get0_notAfter, (const X509 *x), (x))
CRYPTO(const ASN1_TIME *, X509_get0_notBefore, (const X509 *x), (x))
CRYPTO(const char *, X509_get_default_cert_dir, (void), ())
CRYPTO(const char *, X509_get_default_cert_dir_env, (void), ())
CRYPTO(const char *, X509_get_default_cert_file_env, (void), ())
CRYPTO(void *, X509_get_ext_d2i, (const X509 *x, int nid, int *crit, int *idx), (x, nid, crit, idx))
CRYPTO(X509_NAME *, X509_get_issuer_name, (const X509 *a), (a))
CRYPTO(int, X509_get_signature_info, (X509 *x, int *mdnid, int *pknid, int *secbits, uint32_t *flags),
  (x, mdnid, pknid, secbits, flags))
CRYPTO(ASN1_STRING *, X509_NAME_ENTRY_get_data, (const X509_NAME_ENTRY *ne), (ne))
CRYPTO(X509_NAME_ENTRY *, X509_NAME_get_entry, (const X509_NAME *name, int loc), (name, loc))
CRYPTO(int, X509_NAME_get_index_by_NID, (const X509_NAME *name, int nid, int lastpos), (name, nid, lastpos))
CRYPTO(const char *, X509_verify_cert_error_string, (long n), (n))
CRYPTO(int, X509_VERIFY_PARAM_set1_host, (X509_VERIFY_PARAM *param, const char *name, size_t namelen),
  (param, name, namelen))
CRYPTO(int, X509_VERIFY_PARAM_set1_ip_asc, (X509_VERIFY_PARAM *param, const char *ipasc), (param, ipasc))
CRYPTO(int, X509_VERIFY_PARAM_set_flags, (X509_VERIFY_PARAM *param, unsigned long flags), (param, flags))
CRYPTO(void, X509_VERIFY_PARAM_set_hostflags, (X509_VERIFY_PARAM *param, unsigned int flags), (param, flags))

SSL(SSL_SESSION *, d2i_SSL_SESSION, (SSL_SESSION **a, const unsigned char **pp, long length), (a, pp, length))
SSL(int, i2d_SSL_SESSION, (const SSL_SESSION *in, unsigned char **pp), (in, pp))
SSL(const char *, SSL_CIPHER_get_name, (const SSL_CIPHER *c), (c))
SSL(long, SSL_ctrl, (SSL *ssl, int cmd, long larg, void *parg), (ssl, cmd, larg, parg))
SSL(long, SSL_CTX_ctrl, (SSL_CTX *ctx, int cmd, long larg, void *parg), (ctx, cmd, larg, parg))
SSL(void, SSL_CTX_free, (SSL_CTX *a), (a))
SSL(X509_VERIFY_PARAM *, SSL_CTX_get0_param, (SSL_CTX *ctx), (ctx))
SSL(int, SSL_CTX_load_verify_dir, (SSL_CTX *ctx, const char *CApath), (ctx, CApath))
SSL(int, SSL_CTX_load_verify_file, (SSL_CTX *ctx, const char *CAfile), (ctx, CAfile))
SSL(SSL_CTX *, SSL_CTX_new, (const SSL_METHOD *meth), (meth))
SSL(void, SSL_CTX_sess_set_new_cb, (SSL_CTX *ctx, int (*new_session_cb)(struct ssl_st *ssl, SSL_SESSION *sess)),
  (ctx, new_session_cb))
SSL(int, SSL_CTX_set_cipher_list, (SSL_CTX *a, const char *str), (a, str))
SSL(uint64_t, SSL_CTX_set_options, (SSL_CTX *ctx, uint64_t op), (ctx, op))
SSL(void, SSL_CTX_set_security_level, (SSL_CTX *ctx, int level), (ctx, level))
SSL(void, SSL_CTX_set_verify, (SSL_CTX *ctx, int mode, SSL_verify_cb callback), (ctx, mode, callback))
SSL(int, SSL_do_handshake, (SSL *s), (s))
SSL(int, SSL_export_keying_material,
  (SSL *s, unsigned char *out, size_t olen, const char *label, size_t llen, const unsigned char *context, size_t
   contextlen, int use_context),
  (s, out, olen, label, llen, context, contextlen, use_context))
SSL(void, SSL_free, (SSL *ssl), (ssl))
SSL(X509_VERIFY_PARAM *, SSL_get0_param, (SSL *ssl), (ssl))
SSL(struct stack_st_X509 *, SSL_get0_verified_chain, (const SSL *s), (s))
SSL(X509 *, SSL_get1_peer_certificate, (const SSL *s), (s))
SSL(const SSL_CIPHER *, SSL_get_current_cipher, (const SSL *s), (s))
SSL(int, SSL_get_error, (const SSL *s, int ret_code), (s, ret_code))
SSL(void *, SSL_get_ex_data, (const SSL *ssl, int idx), (ssl, idx))
SSL(size_t, SSL_get_finished, (const SSL *s, void *buf, size_t count), (s, buf, count))
SSL(struct stack_st_X509 *, SSL_get_peer_cert_chain, (const SSL *s), (s))
SSL(long, SSL_get_verify_result, (const SSL *ssl), (ssl))
SSL(const char *, SSL_get_version, (const SSL *s), (s))
SSL(int, SSL_has_pending, (const SSL *s), (s))
SSL(SSL *, SSL_new, (SSL_CTX *ctx), (ctx))
SSL(int, SSL_read, (SSL *ssl, void *buf, int num), (ssl, buf, num))
SSL(void, SSL_SESSION_free, (SSL_SESSION *ses), (ses))
SSL(X509 *, SSL_SESSION_get0_peer, (SSL_SESSION *s), (s))
SSL(void, SSL_SESSION_get0_ticket, (const SSL_SESSION *s, const unsigned char **tick, size_t *len), (s, tick, len))
SSL(int, SSL_SESSION_get_protocol_version, (const SSL_SESSION *s), (s))
SSL(unsigned long, SSL_SESSION_get_ticket_lifetime_hint, (const SSL_SESSION *s), (s))
SSL(int, SSL_SESSION_is_resumable, (const SSL_SESSION *s), (s))
SSL(int, SSL_session_reused, (const SSL *s), (s))
SSL(int, SSL_set_alpn_protos, (SSL *ssl, const unsigned char *protos, unsigned int protos_len),
  (ssl, protos, protos_len))
SSL(void, SSL_set_bio, (SSL *s, BIO *rbio, BIO *wbio), (s, rbio, wbio))
SSL(void, SSL_set_connect_state, (SSL *s), (s))
SSL(int, SSL_set_ex_data, (SSL *ssl, int idx, void *data), (ssl, idx, data))
SSL(int, SSL_set_session, (SSL *to, SSL_SESSION *session), (to, session))
SSL(int, SSL_shutdown, (SSL *s), (s))
SSL(int, SSL_version, (const SSL *ssl), (ssl))
SSL(int, SSL_write, (SSL *ssl, const void *buf, int num), (ssl, buf, num))
SSL(const SSL_METHOD *, TLS_client_method, (void), ())

JD_LATE_END
