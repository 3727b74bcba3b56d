/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "decoder.h"

#include <string.h>

#include <libxml/parser.h>

static void start(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int declarations,
                  const xmlChar **namespaces, int attributes, int defaulted, const xmlChar **values) {
  (void)name, (void)prefix, (void)uri, (void)declarations, (void)namespaces, (void)attributes, (void)defaulted;
  (void)values;
  ++*(long *)user;
}

static void end(void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  (void)user, (void)name, (void)prefix, (void)uri;
}

static void text(void *user, const xmlChar *bytes, int count) { (void)user, (void)bytes, (void)count; }

static void error(void *user, xmlErrorPtr reported) { (void)user, (void)reported; }

long decoder_peer_parse(const char *bytes, size_t count, size_t piece) {
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof handler);
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = start;
  handler.endElementNs = end;
  handler.characters = handler.ignorableWhitespace = handler.cdataBlock = text;
  handler.serror = error;
  long tags = 0;
  xmlParserCtxtPtr context = xmlCreatePushParserCtxt(&handler, &tags, NULL, 0, NULL);
  if (context == NULL) return -1;
  xmlCtxtUseOptions(context, XML_PARSE_NOENT | XML_PARSE_NONET | XML_PARSE_IGNORE_ENC);
  int status = 0;
  for (size_t at = 0; at < count && status == 0; at += piece) {
    status = xmlParseChunk(context, bytes + at, (int)(count - at < piece ? count - at : piece), 0);
  }
  xmlFreeParserCtxt(context);
  return status == 0 ? tags : -1;
}
