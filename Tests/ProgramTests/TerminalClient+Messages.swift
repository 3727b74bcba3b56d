// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// Of two people, Alice has Jackdaw and Bob another client. `ALICE` and `BOB` stand for their addresses, `Alice` and `Bob` for the part
/// of these before the `@`.
extension TerminalClient {
  /// A kind of message that Bob's client sends.
  struct Said {
    var name: String
    /// The lines that Bob types.
    var typed: [String]
    /// What stands in the JSON of it.
    var json: [String]
    /// What stands in the text of it, live and in the history.
    var text: String
    /// Bob's other device has a copy of it. Clients ask for none of what only one device can read.
    var isCopied = true
    /// Servers keep it for who is not there. Headlines are for who is there (RFC 6121 5.2.2), and Profanity asks that OTR be not kept
    /// (XEP-0334), which ejabberd does not even for a while.
    var isKept = true
    /// It is in the archive then, in which there is no message without a text.
    var isArchived = true
  }

  /// A kind of message that Alice's Jackdaw sends.
  struct Heard {
    var name: String
    /// The lines that Alice types.
    var typed: [String]
    /// What rows of Bob's screen show.
    var shown: [String]
    /// What none of them shows any longer.
    var gone: String?
    /// What it shows of it, in whatever form, where it was not there; empty: that is not tried.
    var late: [String]
  }

  /// As it calls itself, with the version in which all this was seen.
  var title: String {
    switch self {
    case .profanity: "Profanity 0.13.1"
    case .mcabber: "mcabber 1.1.2"
    case .poezio: "poezio 0.14"
    }
  }

  // MARK: What it sends

  var sends: [Said] {
    let texts: [Said] = [
      .init(name: "text", typed: ["hello alice"], json: [#""body":"hello alice""#], text: "BOB: hello alice"),
      .init(
        name: "what somebody does (XEP-0245)", typed: [self == .mcabber ? "/say /me hops" : "/me hops"],
        json: [#""body":"/me hops""#], text: "* BOB hops"),
      .init(
        name: "link", typed: ["see https://example.org/b"], json: [#""body":"see https://example.org/b""#],
        text: "BOB: see https://example.org/b"),
    ]
    let correction = Said(
      name: "correction (XEP-0308)", typed: ["at tin", "/correct at ten"],
      json: [#""body":"at ten""#, #""replaces":""#],
      text: "BOB (corrected): at ten")
    switch self {
    case .profanity:
      return texts + [
        correction,
        encrypted("OMEMO", "XEP-0384", ["/omemo start", "soup?", "/omemo end"], "encrypted with OMEMO"),
        encrypted("OpenPGP", "XEP-0027", ["/pgp start", "soup?", "/pgp end"], "(XEP-0027)"),
        encrypted("OpenPGP", "XEP-0373", ["/ox start", "soup?", "/ox end"], "(XEP-0373"),
        encrypted(
          "OTR", "XEP-0364", ["/otr start"], "?OTR", says: "asks to encrypt with OTR, which Jackdaw cannot do.",
          isStored: false),
      ]
    case .mcabber:
      return texts + [
        .init(
          name: "subject", typed: ["/msay begin Food", "Soup?", "/msay send"],
          json: [#""body":"Soup?""#, #""subject":"Food""#], text: "BOB [Food]: Soup?"),
        .init(
          name: "text in a message of type normal", typed: ["/say_to -n ALICE a letter"],
          json: [#""type":"normal""#, #""body":"a letter""#], text: "BOB: a letter"),
        .init(
          name: "headline", typed: ["/say_to -h ALICE news"], json: [#""type":"headline""#, #""body":"news""#],
          text: "BOB: news", isCopied: false, isKept: false),
        encrypted("OpenPGP", "XEP-0027", ["/pgp enable ALICE", "soup?", "/pgp disable ALICE"], "PGP-encrypted"),
      ]
    case .poezio:
      return texts + [
        correction,
        .init(
          name: "formatted text (XEP-0071)", typed: ["/xhtml <b>soup</b>"], json: [#""body":"soup""#],
          text: "BOB: soup"),
        .init(
          name: "attention (XEP-0224)", typed: ["/attention"], json: [#""body":"""#, #""kind":"attention""#],
          text: "-- BOB wants your attention.", isArchived: false),
        .init(
          name: "attention with a text (XEP-0224)", typed: ["/attention wake up"],
          json: [#""body":"wake up""#, #""kind":"attention""#], text: "BOB (wants your attention): wake up"),
      ]
    }
  }

  /// - Parameters:
  ///   - fallback: what stands in the text for clients that cannot read it.
  ///   - says: what Jackdaw says of it; nil: that it is encrypted.
  ///   - isStored: there are copies of it, and servers keep it.
  private func encrypted(
    _ scheme: String, _ specification: String, _ typed: [String], _ fallback: String, says: String? = nil,
    isStored: Bool = true
  ) -> Said {
    .init(
      name: "encryption (\(scheme), \(specification))", typed: typed,
      json: [fallback, #""encrypted":true"#, #""encryption":"\#(scheme)""#],
      text: "-- BOB " + (says ?? "sent an encrypted message (\(scheme)) that Jackdaw cannot read."), isCopied: isStored,
      isKept: isStored)
  }

  // MARK: What it shows

  var shows: [Heard] {
    [
      .init(name: "text", typed: ["hello bob"], shown: [row("hello bob")], late: ["hello bob"]),
      .init(name: "what somebody does (XEP-0245)", typed: ["/me waves"], shown: [doing("waves")], late: ["waves"]),
      .init(
        name: "link", typed: ["see https://example.org/a"], shown: [row("see https://example.org/a")],
        late: ["see https://example.org/a"]),
      .init(name: "styled text (XEP-0393)", typed: ["*bold*"], shown: [row("*bold*")], late: ["*bold*"]),
      // mcabber knows no corrections, and shows both.
      .init(
        name: "correction (XEP-0308)", typed: ["at nein", "/correct at nine"],
        shown: [row("at nine", isCorrected: self != .mcabber)], gone: self == .mcabber ? nil : "at nein",
        late: ["at nine"]),
      .init(
        name: "subject", typed: ["/send --subject Food BOB When?"],
        shown: self == .mcabber ? [row("[Food]"), "When?"] : [row("When?")],
        late: self == .mcabber ? ["[Food]", "When?"] : ["When?"]),
      .init(
        name: "retraction (XEP-0424)", typed: ["a secret", "/retract"],
        shown: [doing("took back a message, which your client")], late: ["took back a message, which your client"]),
      // What Bob has said to Alice by then.
      .init(
        name: "reply (XEP-0461)", typed: ["/reply Yes"], shown: [row("> Pizza?"), "Yes"], late: []),
    ]
  }

  /// A line of the conversation, in which Alice speaks from her first device.
  private func row(_ text: String, isCorrected: Bool = false) -> String {
    switch self {
    case .profanity: "\(isCorrected ? "+" : "-") ALICE/one: \(text)"
    case .mcabber: "<== \(text)"
    case .poezio: "Alice\(isCorrected ? "1" : "")> \(text)"
    }
  }

  private func doing(_ text: String) -> String {
    switch self {
    case .profanity: "- *ALICE/one \(text)"
    case .mcabber: "<== *Alice \(text)"
    case .poezio: "* Alice \(text)"
    }
  }

  /// What it shows while Alice types.
  var typingShown: String {
    switch self {
    case .profanity: "ALICE [online] [unencrypted] (typing...)"
    case .mcabber: "+[o]"
    case .poezio: "[ALICE] [|] composing"
    }
  }

  /// What it shows of what Bob has said, and Alice's device has confirmed (XEP-0184). Profanity has a colour for it.
  func confirmed(_ text: String) -> String? {
    switch self {
    case .profanity: nil
    case .mcabber: "--> \(text)"
    case .poezio: "✔ Bob> \(text)"
    }
  }

  /// What it shows of what Bob says on another device.
  func own(_ text: String) -> String {
    switch self {
    case .profanity: "- me: \(text)"
    case .mcabber: "--> \(text)"
    case .poezio: "Bob> \(text)"
    }
  }

  // MARK: What is typed

  /// What is switched on in it, once.
  func settings(_ keys: KeyRing?) -> [String] {
    switch self {
    case .profanity:
      [
        "/receipts send on", "/receipts request on", "/correction on", "/carbons on", "/states on", "/outtype on",
        "/otr gen",
      ]
        + (keys.map { ["/account set BOB pgpkeyid \($0.bob)", "/pgp setkey ALICE \($0.alice)"] } ?? [])
    case .mcabber: keys.map { ["/pgp setkey ALICE \($0.alice)", "/pgp force ALICE", "/pgp disable ALICE"] } ?? []
    case .poezio: []
    }
  }

  /// The line with which a text goes to one device alone; nil: poezio has such a window, but this one sends nothing from it.
  func line(saying text: String, to address: String) -> String? {
    switch self {
    case .profanity: "/msg \(address) \(text)"
    case .mcabber: "/say_to \(address) \(text)"
    case .poezio: nil
    }
  }
}
