// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL

/// OpenSSL as a whole, apart from what is done with it.
package enum OpenSSLLibrary {
  /// Has OpenSSL keep what it holds until the process is gone. To be called before anything else of OpenSSL is.
  ///
  /// By itself it frees its tables in exit(3) (OPENSSL_init_crypto(3), `OPENSSL_INIT_NO_ATEXIT`), where a helper thread that
  /// derives a key, which nothing can interrupt, may be reading them: the process then died of SIGSEGV instead of ending
  /// with its code.
  /// - Returns: whether OpenSSL could be made ready.
  @discardableResult package static func outliveExit() -> Bool {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
  }
}
