/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CLateLibrary.h"
JD_LATE_BEGIN
#include "CLibXML2.h"

#if LIBXML_VERSION >= 21400
#define NAME "libxml2.so.16"
#else
#define NAME "libxml2.so.2"
#endif

JD_LATE_LIBRARY(libxml2, NAME, NULL)

#define XML(result, name, parameters, arguments) JD_LATE_FUNCTION(libxml2, result, name, parameters, arguments)

XML(xmlParserCtxtPtr, xmlCreatePushParserCtxt,
  (xmlSAXHandlerPtr sax, void *user_data, const char *chunk, int size, const char *filename),
  (sax, user_data, chunk, size, filename))
XML(int, xmlCtxtUseOptions, (xmlParserCtxtPtr ctxt, int options), (ctxt, options))
XML(void, xmlFreeParserCtxt, (xmlParserCtxtPtr ctxt), (ctxt))
XML(void, xmlInitParser, (void), ())
XML(int, xmlParseChunk, (xmlParserCtxtPtr ctxt, const char *chunk, int size, int terminate),
  (ctxt, chunk, size, terminate))

JD_LATE_END
