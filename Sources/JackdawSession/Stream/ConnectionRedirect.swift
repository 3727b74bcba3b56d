// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawHosts

/// The server wants us to connect elsewhere (see-other-host, RFC 6120 4.9.3.19). The certificate there has to be the
/// account's domain's all the same.
package struct ConnectionRedirect: Error, Sendable, Equatable {
  /// Of the form that see-other-host allows.
  package var target: HostPort

  package init(to target: HostPort) { self.target = target }
}
