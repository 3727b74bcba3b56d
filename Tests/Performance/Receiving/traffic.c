/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "traffic.h"

#include <stdio.h>
#include <stdlib.h>

/* Writes 36 characters that look like a UUID, the next of a sequence (Knuth's MMIX generator). */
static void write_id(uint64_t *state, char id[37]) {
  uint64_t parts[2];
  for (int part = 0; part < 2; part++) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    parts[part] = *state >> 8;
  }
  snprintf(id, 37, "%08x-%04x-4%03x-8%03x-%012llx", (unsigned)(parts[0] >> 24), (unsigned)(parts[0] >> 8) & 0xffff,
           (unsigned)parts[0] & 0xfff, (unsigned)(parts[1] >> 44), (unsigned long long)(parts[1] & 0xffffffffffff));
}

struct traffic make_traffic(unsigned messages, bool annotated) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  uint64_t state = 1;
  for (unsigned number = 1; number <= messages; number++) {
    char id[37], archive[37];
    write_id(&state, id);
    write_id(&state, archive);
    fprintf(stream,
            "<message from='" BENCH_RECIPIENT "/phone' to='" BENCH_USER "@" BENCH_DOMAIN "/here' type='chat' id='%s'>"
            "<body>" BODY_BEGINS "%u</body>",
            id, number);
    if (annotated) {
      fprintf(stream,
              "<origin-id xmlns='urn:xmpp:sid:0' id='%s'/><request xmlns='urn:xmpp:receipts'/>"
              "<active xmlns='http://jabber.org/protocol/chatstates'/>"
              "<stanza-id xmlns='urn:xmpp:sid:0' by='" BENCH_USER "@" BENCH_DOMAIN "' id='%s'/>",
              id, archive);
    }
    fputs("</message>", stream);
    if (number % STANZAS_BETWEEN_REQUESTS == 0 || number == messages) fputs("<r xmlns='urn:xmpp:sm:3'/>", stream);
  }
  if (fclose(stream) != 0) perror("traffic"), exit(1);
  return (struct traffic){.text = text, .length = length, .stanzas = messages};
}
