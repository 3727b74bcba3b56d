// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawLoop
package import JackdawProtocol
package import JackdawTransport

/// Whose session it is to be, and where.
package struct SessionConfiguration: Sendable {
  /// A resource in it is asked for.
  package var account: JID
  /// Nil: it is not known, and the keys or the token of an earlier log-in stand for it.
  package var password: String?
  /// Gets the password where it is not known and nothing that is kept will do.
  package var askPassword: (@Client () async throws -> String)?
  /// Looks whether the password is another by now where it came from, without asking anybody; gives nil where that cannot be said.
  package var lookForPassword: (@Client () async -> String?)?
  /// What the user can do where the server refuses the password, as a sentence; nil: they know.
  package var adviceIfRefused: String?
  /// What else it may be by now: tried once, on a connection of its own, where the server refuses ``password``.
  package var otherPassword: String?
  /// Which secrets later runs are to have.
  package var keeps: KeptSecrets
  /// Whether later runs are to have what resumes a TLS connection (RFC 8446 2.2); this one has it anyway.
  package var keepsTickets = false
  /// Whether the log-in is bound to the TLS connection where both sides can.
  package var bindsChannel: Bool
  package var plan: ConnectionPlan
  /// How long a log-in, and each request, may take.
  package var timeout: Duration
  /// What becomes of our entry when somebody removes us.
  package var whenRemoved: WhenRemoved
  /// How much of our server's archive is read backwards, by a program that remains online.
  package var archive: ArchiveExtent
  /// What people are told of what the user does with their messages.
  package var discloses: Set<Disclosure>
  /// What kind of run it is for.
  package var role: SessionRole
  /// What the log-in is to show besides who it is.
  package var proof = Proof.none
  /// The server is to take back the token of the last log-in (XEP-0484), with which it is logged in once more.
  package var revokesToken = false

  package init(
    account: JID, password: String?, otherPassword: String? = nil, keeps: KeptSecrets = .token,
    bindsChannel: Bool = true, plan: ConnectionPlan, timeout: Duration,
    whenRemoved: WhenRemoved = .keep,
    archive: ArchiveExtent = .nothing, discloses: Set<Disclosure> = [],
    role: SessionRole = .oneShot
  ) {
    self.account = account
    self.password = password
    self.otherPassword = otherPassword
    self.keeps = keeps
    self.bindsChannel = bindsChannel
    self.plan = plan
    self.timeout = timeout
    self.whenRemoved = whenRemoved
    self.archive = archive
    self.discloses = discloses
    self.role = role
  }
}

extension SessionConfiguration {
  /// What may not stand for the password in a log-in, so that it shows something.
  package enum Proof: Sendable {
    case none
    /// That the password is right: nothing of an earlier log-in is used.
    case password
    /// Whether the kept SCRAM keys will do: no token (XEP-0484) is used.
    case keys
  }
}

/// The world as a session sees it; tests put their own in its place.
@Client package struct SessionEnvironment {
  package var connector: any Connecting
  package var clock: any LoopClock
  /// The date and time of day.
  package var calendar: @Client () -> Timestamp
  /// 128 random bits as text that is safe in XML attributes and SASL nonces.
  package var freshID: @Client () -> String
  /// An id for a message to a person that is written now: one that nobody can guess, and that may tell the time.
  package var messageID: @Client (Timestamp) -> String
  /// Runs a key derivation of many rounds where blocking is allowed.
  package var deriveKeys: @Client (SCRAMDerivation) async -> SCRAMKeys?
  package var log: (any StreamLog)?
  /// Remarks for `-v`.
  package var remark: @Client (String) -> Void
  /// What everybody is to be told, as one sentence. May hold words from the network: to be shown through the escaper only.
  package var notice: @Client (String) -> Void

  /// Put together once, by whoever makes the session.
  /// - Parameters:
  ///   - messageID: nil: as all ids.
  ///   - notice: nil: a remark is enough.
  package init(
    connector: any Connecting, clock: any LoopClock, calendar: @escaping @Client () -> Timestamp,
    freshID: @escaping @Client () -> String, messageID: (@Client (Timestamp) -> String)? = nil,
    deriveKeys: @escaping @Client (SCRAMDerivation) async -> SCRAMKeys?,
    log: (any StreamLog)? = nil, remark: @escaping @Client (String) -> Void,
    notice: (@Client (String) -> Void)? = nil
  ) {
    self.connector = connector
    self.clock = clock
    self.calendar = calendar
    self.freshID = freshID
    self.messageID = messageID ?? { _ in freshID() }
    self.deriveKeys = deriveKeys
    self.log = log
    self.remark = remark
    self.notice = notice ?? remark
  }
}
