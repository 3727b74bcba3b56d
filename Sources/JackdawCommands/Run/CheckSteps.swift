// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop

/// How far a check has come: shows each step once, as soon as it is known to have succeeded.
@Client final class CheckSteps {
  /// The step that a failure belongs to, unless the failure knows better.
  private(set) var next = CheckRow.Step.dns
  private let show: @Client (CheckRow) -> Void
  /// The addresses that TCP was made to, and that were not shown yet.
  /// Bounded by the addresses that are tried.
  private var addresses: [String] = []
  /// What succeeded at the last of them and was not shown yet: TLS, and the log-in, which may be done once more elsewhere.
  /// Bounded by the steps.
  private var pending: [CheckRow] = []
  /// The servers are found and shown.
  private var isFound = false

  init(_ show: @escaping @Client (CheckRow) -> Void) { self.show = show }

  /// TCP stands to one address. More may follow, where the first ones' TLS fails or is slow, or nothing is said behind it: they are one
  /// step, shown with that TLS when the next one has succeeded or nothing more comes.
  func connected(_ address: String) {
    pending = []
    if !addresses.contains(address) { addresses.append(address) }
  }

  func succeeded(_ row: CheckRow) {
    switch row.step {
    case .tls, .sasl:
      pending.append(row)
      next = row.step.next
      return
    case .dns where isFound:
      // The log-in is done once more, without something that is no good any more, or elsewhere: what counts is where that one leads.
      (addresses, pending, next) = ([], [], row.step.next)
      return
    case .dns: isFound = true
    case .tcp, .bind, .features, .ping: break
    }
    ended()
    show(row)
    next = row.step.next
  }

  /// Nothing more comes of the connecting.
  func ended() {
    if !addresses.isEmpty {
      show(CheckRow(.tcp, addresses.joined(separator: ", ")))
      addresses = []
      next = CheckRow.Step.tcp.next
    }
    for row in pending {
      show(row)
      next = row.step.next
    }
    pending = []
  }
}
