// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Support

/// Servers for several tests, each of which needs one thing of them and minds none of the others: to start an ejabberd costs as much as some
/// two hundred log-ins.
extension TestServer.Options {
  /// Whoever likes may make an account, and a component may log in: ``Strangers``.
  static let open = Self {
    $0.registration = true
    $0.component = Strangers.domain
  }

  /// An ejabberd that knows TLS 1.2 at most, blocks nobody and keeps no messages for who is away, and that lets nobody make an account who
  /// does not solve a CAPTCHA.
  static let meagreEjabberd = Self {
    $0.tls = .version12
    $0.without = ["blocking", "offline"]
    $0.registration = true
    $0.registrationQuestions = true
  }

  /// An ejabberd that keeps plain passwords, neither counts stanzas (XEP-0198) nor keeps an archive.
  static let plainEjabberd = Self {
    $0.passwords = .plain
    $0.without = ["smacks", "mam"]
  }
}
