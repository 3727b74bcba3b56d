// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawXML

/// Everything that a log-in needs to know beforehand.
package struct LoginRequest: Sendable {
  /// The account; a resource in it is asked for at bind.
  package var jid: JID
  /// Nil: it is not known, and ``LoginMemory/keys`` or a token stand for it.
  package var password: String?
  /// At least 128 random bits from the system, fresh for each log-in, printable without commas (RFC 5802 5.1).
  package var clientNonce: String
  /// An id for the bind request: unguessable.
  package var bindID: String
  /// `xml:lang` of our stream.
  package var language: String?
  /// What is remembered of earlier log-ins of this account.
  package var memory: LoginMemory
  /// False where the user has turned channel binding off for the account: the log-in is bound in no way then (`n`, RFC 5802 6).
  package var bindsChannel: Bool
  /// The stream to go on with instead of binding a resource, if the server still has it (XEP-0198 5).
  package var resumption: StreamResumption?
  /// What is wanted of a server with the extensible profile of SASL (XEP-0388).
  package var extras: LoginExtras

  package init(
    jid: JID, password: String?, clientNonce: String, bindID: String, language: String? = nil,
    memory: LoginMemory = LoginMemory(), bindsChannel: Bool = true, resumption: StreamResumption? = nil,
    extras: LoginExtras = LoginExtras()
  ) {
    self.jid = jid
    self.password = password
    self.clientNonce = clientNonce
    self.bindID = bindID
    self.language = language
    self.memory = memory
    self.bindsChannel = bindsChannel
    self.resumption = resumption
    self.extras = extras
  }
}

/// What is done with a log-in in one exchange, where the server can (XEP-0388).
package struct LoginExtras: Sendable {
  /// The program that logs in, as people call it.
  package var software: String?
  /// What the resource is to begin with, where the server makes it (XEP-0386); nil: the resource of the address is asked for as ever.
  /// Programs of one installation that run side by side need different ones.
  package var tag: String?
  /// Stanzas are to be counted from the beginning (XEP-0198); the stream is to be kept for a while after a cut. Nil: not now.
  package var management: Management?
  /// What else is to be switched on: namespaces of an `<enable/>` each.
  package var switchesOn: [String]
  /// What the server is to take us for from the beginning.
  package var activity = ClientActivity.active
  /// The token of the last log-in is used a last time, and none is asked for.
  package var revokesToken = false
  /// A server that would like keys for a better mechanism may be given them (XEP-0480).
  package var asksForUpgrade = true

  /// How stanzas are to be counted.
  package enum Management: Sendable { case counted, resumable }

  package init(
    software: String? = nil, tag: String? = nil, management: Management? = nil, switchesOn: [String] = []
  ) {
    self.software = software
    self.tag = tag
    self.management = management
    self.switchesOn = switchesOn
  }
}

/// Whether anybody looks at what a client shows. Each stream begins as active, one that goes on too (XEP-0352 5.2).
package enum ClientActivity: Sendable { case active, inactive }

/// What is kept of one log-in for the next, against downgrades (RFC 6120 13.8.3) and for speed.
package struct LoginMemory: Sendable, Equatable {
  /// The mechanism that last succeeded, say `SCRAM-SHA-256`. After a SCRAM log-in PLAIN is refused, after one with
  /// -PLUS a log-in without channel binding, unless the server proves that it wants it so (XEP-0474).
  package var mechanism: String?
  /// False where ``mechanism`` could not be read just now: PLAIN is refused as well then.
  package var isReadable = true
  /// Keys already derived, with the salt and the count that they belong to; used again only where these and the password
  /// are still the same.
  package var keys: SCRAMKeys?
  /// The last log-in was by the extensible profile (XEP-0388): one without is refused then.
  package var isExtensible = false
  /// Which of the account's installations this is, for the server to know it again: a random UUID; nil: it is not to know.
  package var agent: String?
  /// For the next log-in of ``agent``.
  package var token: LoginToken?

  package init(mechanism: String? = nil, keys: SCRAMKeys? = nil) {
    self.mechanism = mechanism
    self.keys = keys
  }
}

/// How a log-in ended well.
package struct LoginOutcome: Sendable, Equatable {
  /// The full JID that the server bound, or that is bound to the stream that goes on.
  package var jid: JID
  /// What became of the stream that was to be resumed.
  package var continuation = StreamContinuation.fresh
  /// The mechanism that was used, say `SCRAM-SHA-256-PLUS`.
  package var mechanism: String
  /// The channel-binding type that was used, or nil.
  package var channelBinding: String?
  /// `<stream:features/>` as last seen, after SASL; nil: they are yet to come, on a stream that goes on.
  package var features: Element?
  /// What the server said of counting stanzas as it bound the resource: `<enabled/>` (XEP-0198); nil: nothing.
  package var management: Element?
  /// What else it has switched on, by namespaces.
  package var switchedOn: Set<String> = []
  /// What it takes us for.
  package var activity = ClientActivity.active
  /// The mechanism that the server has been given keys for with the log-in (XEP-0480), say `SCRAM-SHA-256`; nil: none.
  package var upgrade: String?
  /// How often the server was waited for since TLS stood.
  package var roundTrips = 0
  /// What to remember for the next log-in.
  package var memory: LoginMemory
  /// What everybody is to be told: the log-in was less safe than the server offers, or gave the bare password to one of which nothing was
  /// known before; nil: neither.
  package var warning: String?
  /// Things worth telling with `-v`: "the server offers PLAIN only".
  package var remarks: [String]

  /// As in ``AcceptedLogin``.
  package var reliedOnKeptKeys: Bool { AcceptedLogin(self).reliedOnKeptKeys }
}

/// How the server was convinced of who we are.
package struct AcceptedLogin: Sendable, Equatable {
  /// As in ``LoginOutcome``.
  package var mechanism: String
  /// As in ``LoginOutcome``.
  package var channelBinding: String?
  /// The keys that an earlier process derived were the password's proof.
  package var reliedOnKeptKeys: Bool
  /// As in ``LoginOutcome``.
  package var upgrade: String?

  /// What was known of the log-in when the server accepted it, before the resource.
  package init(_ outcome: LoginOutcome) {
    self.init(outcome.mechanism, outcome.channelBinding, outcome.memory, outcome.upgrade)
  }

  init(_ binding: StreamMachine.Binding) {
    self.init(binding.mechanism, binding.channelBinding, binding.memory, binding.upgrade)
  }

  private init(_ mechanism: String, _ channelBinding: String?, _ memory: LoginMemory, _ upgrade: String?) {
    (self.mechanism, self.channelBinding, self.upgrade) = (mechanism, channelBinding, upgrade)
    reliedOnKeptKeys = mechanism.hasPrefix("SCRAM-") && memory.keys?.areKept == true
  }
}

extension LoginRequest: CustomReflectable {
  /// Without the password, so that no dump or failed expectation shows it.
  package var customMirror: Mirror { Mirror(self, children: ["jid": jid, "memory": memory]) }
}
