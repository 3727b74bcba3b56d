/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "scram.h"

#include <stdio.h>
#include <string.h>

#include <openssl/crypto.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

static unsigned mac(const EVP_MD *digest, const void *key, int key_length, const char *text, unsigned char *out) {
  unsigned length = 0;
  HMAC(digest, key, key_length, (const unsigned char *)text, strlen(text), out, &length);
  return length;
}

void scram_make_secret(struct scram_secret *secret, const EVP_MD *digest, const char *password, int rounds) {
  unsigned char salted[EVP_MAX_MD_SIZE], client_key[EVP_MAX_MD_SIZE];
  int length = EVP_MD_get_size(digest);
  secret->digest = digest;
  secret->rounds = rounds;
  RAND_bytes(secret->salt, sizeof secret->salt);
  PKCS5_PBKDF2_HMAC(password, -1, secret->salt, sizeof secret->salt, rounds, digest, length, salted);
  mac(digest, salted, length, "Client Key", client_key);
  mac(digest, salted, length, "Server Key", secret->server_key);
  EVP_Digest(client_key, (size_t)length, secret->stored_key, NULL, digest, NULL);
}

bool scram_begin(struct scram_exchange *exchange, const struct scram_secret *secret, const char *client_first) {
  /* "n,," or "y,,", then the bare message. */
  const char *comma = strchr(client_first, ',');
  const char *bare = comma ? strchr(comma + 1, ',') : NULL;
  const char *nonce = bare ? strstr(bare, ",r=") : NULL;
  if (nonce == NULL || strlen(bare + 1) >= sizeof exchange->client_first_bare) return false;
  exchange->secret = secret;
  strcpy(exchange->client_first_bare, bare + 1);
  unsigned char random[12];
  char own[17], salt[25];
  RAND_bytes(random, sizeof random);
  EVP_EncodeBlock((unsigned char *)own, random, sizeof random);
  EVP_EncodeBlock((unsigned char *)salt, secret->salt, sizeof secret->salt);
  int length = snprintf(
    exchange->server_first, sizeof exchange->server_first, "r=%s%s,s=%s,i=%d", nonce + 3, own, salt, secret->rounds);
  return length > 0 && (size_t)length < sizeof exchange->server_first;
}

bool scram_finish(const struct scram_exchange *exchange, const char *client_final, char *signature, size_t size) {
  const struct scram_secret *secret = exchange->secret;
  int length = EVP_MD_get_size(secret->digest);
  const char *proof_text = strstr(client_final, ",p=");
  if (proof_text == NULL) return false;
  unsigned char proof[EVP_MAX_MD_SIZE + 3];
  size_t proof_length = strlen(proof_text + 3);
  if (proof_length % 4 != 0 || proof_length / 4 * 3 > sizeof proof) return false;
  if (EVP_DecodeBlock(proof, (const unsigned char *)proof_text + 3, (int)proof_length) < length) return false;

  char message[2048];
  int written = snprintf(
    message, sizeof message, "%s,%s,%.*s", exchange->client_first_bare, exchange->server_first,
    (int)(proof_text - client_final), client_final);
  if (written < 0 || (size_t)written >= sizeof message) return false;
  unsigned char expected[EVP_MAX_MD_SIZE], key[EVP_MAX_MD_SIZE];
  mac(secret->digest, secret->stored_key, length, message, expected);
  for (int index = 0; index < length; index++) expected[index] ^= proof[index];
  EVP_Digest(expected, (size_t)length, key, NULL, secret->digest, NULL);
  if (CRYPTO_memcmp(key, secret->stored_key, (size_t)length) != 0) return false;

  unsigned char own[EVP_MAX_MD_SIZE];
  char encoded[EVP_MAX_MD_SIZE * 2];
  mac(secret->digest, secret->server_key, length, message, own);
  EVP_EncodeBlock((unsigned char *)encoded, own, length);
  return snprintf(signature, size, "v=%s", encoded) < (int)size;
}
