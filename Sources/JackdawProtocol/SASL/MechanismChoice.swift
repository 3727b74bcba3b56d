// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// One try at logging in.
enum SASLAttempt: Hashable, Sendable {
  /// `needsOfferProof`: only gone on with when the server's own hash over its offer (XEP-0474) shows that nobody has
  /// taken channel binding out of it.
  case scram(SCRAMHash, SCRAMBinding, needsOfferProof: Bool)
  case plain

  var mechanism: Mechanism {
    switch self {
    case .scram(let hash, .bound, _): .scram(hash, plus: true)
    case .scram(let hash, .notOffered, _), .scram(let hash, .impossible, _): .scram(hash, plus: false)
    case .plain: .plain
    }
  }
}

/// Which mechanism to log in with, and how to bind it to the TLS connection.
///
/// With channel binding before without, then by strength of hash: SCRAM-SHA-512-PLUS, -256-PLUS, -1-PLUS, -512, -256,
/// -1, PLAIN. Binding comes first because it is what a man in the middle with a valid certificate cannot get round,
/// while no attack on SHA-1 in HMAC is known.
///
/// The GS2 flag (RFC 5802 6) and the types of XEP-0440 make six cases:
///
/// 1. -PLUS is offered, and a type of ours is announced: that type, and nothing else after it. A server that announces
///    a type and refuses it is not the one that announced it.
/// 2. -PLUS is offered, and the announced types are all unknown here: `n`, and only where the server's signed hash over
///    its offer (XEP-0474, rule 6 of its business rules) shows that the announcement is the server's own.
/// 3. -PLUS is offered, and no types are announced (RFC 6120 alone; ejabberd 23.01, Prosody 0.12): each type of ours is
///    tried, tls-unique first where TLS 1.2 has it, for it was the default before there were announcements, and Prosody
///    0.12 hangs where it comes second. A type that is refused is refused before anything of the password is sent, so
///    the last try is the same hash without -PLUS and `y`: "I could bind, you cannot". A server that can bind has to
///    refuse that (RFC 5802 6), so it is no way down for a man in the middle, who would have to change the signed flag.
/// 4. As 3 on TLS 1.3, and the last log-in was SCRAM without binding: the try with `y` comes first and saves the
///    others' round trips. Where the server refuses it the others follow, which is a way up.
/// 5. No -PLUS is offered: `y`. Where the last log-in was bound, only with the signed hash of 2.
/// 6. This side can bind in no way at all: `n`, and where the last log-in was bound only with the hash.
///
/// Where the user has turned channel binding off for the account, none of this holds: `n`, whatever is offered, and whatever the last
/// log-in was. PLAIN stays refused where SCRAM was known.
///
/// In case 3 an account whose last log-in was bound gets no try with `y`: some servers let `y` pass though they can
/// bind (ejabberd until 2026).
struct MechanismChoice: Sendable {
  /// Never empty. One follows the other only where the server refused the former's first message.
  var attempts: [SASLAttempt]

  /// - Parameters:
  ///   - bindings: what this side can do, strongest first.
  ///   - bindsChannel: false where the user does not want it.
  init(
    offer: SASLOffer, bindings: [ChannelBinding], memory: LoginMemory, bindsChannel: Bool = true
  ) throws(StreamFailure) {
    let hashes = SCRAMHash.allCases
    let bare = hashes.first { offer.offers(.scram($0, plus: false)) }
    let plus = hashes.first { offer.offers(.scram($0, plus: true)) }
    let wasBound = memory.mechanism?.hasSuffix("-PLUS") ?? false
    let wasSCRAM = memory.mechanism?.hasPrefix("SCRAM-") ?? false

    switch (plus, bare) {
    case (_, let bare?) where !bindsChannel:
      attempts = [.scram(bare, .impossible, needsOfferProof: false)]
    case (.some, nil) where !bindsChannel:
      throw StreamFailure(
        .refused,
        sentence:
          "The server lets nobody in without channel binding, which is off for this account (channel_binding in the configuration)."
      )
    case (let plus?, _) where !bindings.isEmpty:
      attempts = try Self.bound(
        plus, bare: bare, offer: offer, bindings: bindings, wasBound: wasBound, wasSCRAM: wasSCRAM)
    case (_, let bare?):
      attempts = [.scram(bare, bindings.isEmpty ? .impossible : .notOffered, needsOfferProof: wasBound)]
    case (.some, nil):
      throw .violation("The server wants channel binding, which this TLS connection does not allow.")
    case (nil, nil):
      attempts = try Self.withoutSCRAM(offer, wasSCRAM: wasSCRAM, isReadable: memory.isReadable)
    }
  }

  /// The cases 1 to 4.
  private static func bound(
    _ plus: SCRAMHash, bare: SCRAMHash?, offer: SASLOffer, bindings: [ChannelBinding], wasBound: Bool, wasSCRAM: Bool
  ) throws(StreamFailure) -> [SASLAttempt] {
    if let types = offer.channelBindingTypes {
      if let common = bindings.first(where: { types.contains($0.kind.rawValue) }) {
        return [.scram(plus, .bound(common), needsOfferProof: false)]
      }
      guard let bare else { throw Self.bindingWithdrawn }
      return [.scram(bare, .impossible, needsOfferProof: true)]
    }
    let tried = bindings.filter { $0.kind == .unique } + bindings.filter { $0.kind != .unique }
    let ways = tried.map { SASLAttempt.scram(plus, .bound($0), needsOfferProof: false) }
    guard !wasBound, offer.offers(.scram(plus, plus: false)) else { return ways }
    let unbound = SASLAttempt.scram(plus, .notOffered, needsOfferProof: false)
    return wasSCRAM && tried.first?.kind != .unique ? [unbound] + ways : ways + [unbound]
  }

  private static func withoutSCRAM(
    _ offer: SASLOffer, wasSCRAM: Bool, isReadable: Bool
  ) throws(StreamFailure) -> [SASLAttempt] {
    guard offer.offers(.plain) else {
      throw StreamFailure(
        .refused,
        sentence: offer.mechanisms.isEmpty
          ? "The server offers no way to log in." : "The server offers no way to log in that this client knows.")
    }
    // A name that this client does not know may still be SCRAM: the server can do better than PLAIN.
    guard !offer.offersSCRAM else {
      throw StreamFailure(
        .refused, sentence: "The server offers only kinds of SCRAM that this client does not know, and PLAIN.")
    }
    guard !wasSCRAM else {
      throw .violation(
        "The server asks for the bare password (PLAIN), though it knew a better way at the last log-in: possible man "
          + "in the middle. If the server did change, remove the account (jackdaw account remove) and add it again.")
    }
    guard isReadable else {
      throw StreamFailure(
        .refused,
        sentence:
          "The server asks for the bare password (PLAIN), and whether it knew a better way at the last log-in cannot be "
          + "read from the database. If it never did, remove the account (jackdaw account remove) and add it again.",
        mayRetry: true)
    }
    return [.plain]
  }

  /// Channel binding was there and is not, and nothing shows that the server wants it so.
  static let bindingWithdrawn = StreamFailure.violation(
    "The server's offer of channel binding is missing or of no use here, and nothing shows that this is the server's "
      + "own doing: possible man in the middle. If the server did change, remove the account (jackdaw account remove) "
      + "and add it again.")
}
