// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import CReadline

/// What readline can do. It is loaded when the prompt opens.
var readline: UnsafePointer<jd_readline> { jd_readline() }
