// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// The server wants us to connect elsewhere (see-other-host, RFC 6120 4.9.3.19). The certificate there has to be the
/// account's domain's all the same.
package struct ConnectionRedirect: Error, Sendable, Equatable {
  /// A name or an address of the form that see-other-host allows.
  package var host: String
  package var port: UInt16?

  package init(host: String, port: UInt16?) {
    self.host = host
    self.port = port
  }
}
