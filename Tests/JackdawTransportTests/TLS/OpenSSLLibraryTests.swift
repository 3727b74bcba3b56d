// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import COpenSSL
import Glibc
import Testing

/// exit(3) while helper threads derive keys, as a signal or a cut connection in the middle of a log-in has it.
@Suite("The process's end beside OpenSSL") struct OpenSSLLibraryTests {
  @Test("kills no thread that is in the middle of a key", arguments: 1...12)
  func exitBesideDerivation(_ time: Int) async {
    await #expect(processExitsWith: .exitCode(7)) {
      for _ in 1...4 {
        var thread = pthread_t()
        let failure = pthread_create(&thread, nil, { _ in deriveForEver() }, nil)
        guard failure == 0 else { exit(2) }
      }
      usleep(3_000)
      exit(7)
    }
  }
}

/// Short keys, one after the other: each begins with looking for its hash in OpenSSL's tables.
private func deriveForEver() -> Never {
  var key = [UInt8](repeating: 0, count: 32)
  while true { PKCS5_PBKDF2_HMAC("password", 8, [1, 2, 3, 4], 4, 1, EVP_sha256(), Int32(key.count), &key) }
}
