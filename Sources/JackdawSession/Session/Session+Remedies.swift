// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Log-ins that fail by something which the next one can do without: it follows at once.
extension Session {
  /// Whether another log-in without what was the cause of `error` may do better. It never fails by the same again.
  func isRemediable(_ error: ConnectionError) -> Bool {
    [.staleToken, .staleKeys, .failedUpgrade].contains(error.code) || isTicketAtFault(error)
  }

  private static let newerIsUsed = "What another program has left since is used."

  /// Gives up what was the cause of `error`.
  /// - Throws: what the asking for a password throws, where one is needed now.
  func remedy(_ error: ConnectionError) async throws {
    switch error.code {
    case .staleToken:
      environment.remark("\(error) \(replaceToken() ? Self.newerIsUsed : "The password is used.")")
    case .staleKeys:
      guard !replaceKeys() else { return environment.remark("\(error) \(Self.newerIsUsed)") }
      environment.remark("\(error) The password is used.")
      try await resortToPassword()
    case .failedUpgrade:
      history.upgradeFailed()
      environment.remark("\(error) The log-in is done without the upgrade.")
    default:
      ticketState.isGivenUp = true
      environment.remark("\(error) Another handshake is tried, without what an earlier connection left.")
    }
  }
}
