/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_BENCH_SCRAM_H
#define JACKDAW_BENCH_SCRAM_H

#include <stdbool.h>
#include <stddef.h>

#include <openssl/evp.h>

/* A server's side of SCRAM (RFC 5802, RFC 7677) for one account, without channel binding. */

/* What a server keeps of a password, made once. */
struct scram_secret {
  const EVP_MD *digest;
  unsigned char salt[16];
  int rounds;
  unsigned char stored_key[EVP_MAX_MD_SIZE];
  unsigned char server_key[EVP_MAX_MD_SIZE];
};

struct scram_exchange {
  const struct scram_secret *secret;
  char client_first_bare[512];
  char server_first[512];
};

void scram_make_secret(struct scram_secret *secret, const EVP_MD *digest, const char *password, int rounds);

/* Takes the client's first message and writes the challenge. False: it makes no sense. */
bool scram_begin(struct scram_exchange *exchange, const struct scram_secret *secret, const char *client_first);

/* Takes the client's last message and writes the signature ("v=..."). False: the proof is wrong. */
bool scram_finish(const struct scram_exchange *exchange, const char *client_final, char *signature, size_t size);

#endif
