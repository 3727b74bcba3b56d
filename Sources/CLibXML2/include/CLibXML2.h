/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors
 *
 * libxml2, loaded when something of it is called first. What is called has to stand in CLibXML2.c, or the program does not link. */
#ifndef JACKDAW_LIBXML2_H
#define JACKDAW_LIBXML2_H

/* Debian's libxml2 is built with ICU, whose types clash with those of Foundation's own ICU as soon as one
 * program imports both. Only the private tail of xmlCharEncodingHandler depends on the switch. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlerror.h>

#endif
