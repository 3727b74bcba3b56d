/* SPDX-License-Identifier: GPL-3.0-or-later
 * SPDX-FileCopyrightText: 2026 The Jackdaw authors */
#include "CLateLibrary.h"
JD_LATE_BEGIN
#include "CQREncode.h"

JD_LATE_LIBRARY(libqrencode, "libqrencode.so.4", NULL)

#define QR(result, name, parameters, arguments) JD_LATE_FUNCTION(libqrencode, result, name, parameters, arguments)

QR(QRcode *, QRcode_encodeData, (int size, const unsigned char *data, int version, QRecLevel level),
  (size, data, version, level))
QR(void, QRcode_free, (QRcode *code), (code))

JD_LATE_END
