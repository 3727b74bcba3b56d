/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#ifndef JACKDAW_LIBXML2_SHIM_H
#define JACKDAW_LIBXML2_SHIM_H

/* Debian's libxml2 is built with ICU, whose types clash with those of Foundation's own ICU as soon as one
 * program imports both. Only the private tail of xmlCharEncodingHandler depends on the switch. */
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/xmlerror.h>

#endif
