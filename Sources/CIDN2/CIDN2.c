/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CLateLibrary.h"
JD_LATE_BEGIN
#include "CIDN2.h"

JD_LATE_LIBRARY(libidn2, "libidn2.so.0", NULL)

#define IDN2(result, name, parameters, arguments) JD_LATE_FUNCTION(libidn2, result, name, parameters, arguments)

IDN2(int, idn2_to_ascii_8z, (const char *input, char **output, int flags), (input, output, flags))
IDN2(int, idn2_to_unicode_8z8z, (const char *input, char **output, int flags), (input, output, flags))
IDN2(int, idn2_lookup_u8, (const uint8_t *source, uint8_t **name, int flags), (source, name, flags))
IDN2(void, idn2_free, (void *memory), (memory))

JD_LATE_END
