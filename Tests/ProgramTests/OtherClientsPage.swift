// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What Docs/MESSAGES.md says of other clients: of those at terminals what ``OtherClientsProgramTests`` expects of them.
enum OtherClientsPage {
  static var text: String { beginning + TerminalClient.allCases.map(table).joined() + dino }

  private static let beginning = """

    ## With other clients

    slixmpp 1.8 is at the other end in [TalkerProgramTests.swift](../Tests/ProgramTests/TalkerProgramTests.swift), each time, over Prosody and
    ejabberd: live, as a copy, late and from the archive.

    Three clients for the terminal, as Debian 12 has them, are at the other end in
    [OtherClientsProgramTests.swift](../Tests/ProgramTests/OtherClientsProgramTests.swift), over Prosody and ejabberd, each where it is installed.
    Alice has Jackdaw. What they send is read as text and in JSON: live, as the copy of what another device of theirs says (XEP-0280), late, and
    by a device that has it from the archive alone; a text from Profanity and mcabber also as the copy of what another device of ours gets.
    A headline is live and no copy, OTR too, and the wish for attention alone is in no archive. What we send is on their
    screens live and late, a text also as a copy of either kind. `–` means that this client sends none, or that no sign of it was
    looked for: what came is coloured in Profanity. mcabber shows a correction below what it corrects, the others in its place. None of
    the three sends replies, reactions or retractions, and a reaction of ours shows nothing on their screens.

    Jackdaw reads nothing that is encrypted, so that Alice's keys may be anybody's here. The copy that another device of ours has of it was
    seen by hand, over both servers, at a device of negative priority, which gets nothing but copies.

    """

  private static func table(_ client: TerminalClient) -> String {
    var page = """

      ### \(client.title)

      | | from it, in Jackdaw | from Jackdaw, in it |
      |---|---|---|

      """
    let sends = client.sends.map { ($0.name, cell([$0.text])) } + [("typing (XEP-0085)", cell(["BOB (typing)>"]))]
    let shows =
      client.shows.map { ($0.name, cell($0.shown)) } + [
        ("typing (XEP-0085)", cell([client.typingShown])),
        ("receipt (XEP-0184)", client.confirmed("hello alice").map { cell([$0]) } ?? "–"),
      ]
    let receipt = [("receipt (XEP-0184)", cell([#""event":"message-state" … "state":"delivered""#]))]
    let from = Dictionary(uniqueKeysWithValues: sends + receipt)
    let to = Dictionary(uniqueKeysWithValues: shows)
    var names = sends.map(\.0)
    names += (shows.map(\.0)).filter { !names.contains($0) }
    for name in names { page += "| \(name) | \(from[name] ?? "–") | \(to[name] ?? "–") |\n" }
    return page
  }

  private static func cell(_ lines: [String]) -> String {
    MessageKindsProgramTests.cell(lines).replacing("ALICE", with: "alice@example.org").replacing(
      "BOB", with: "bob@example.org"
    )
    .replacing("Alice", with: "alice").replacing("Bob", with: "bob")
  }

  /// What no test can show each time, as a client in a window takes part in it.
  private static let dino = """

    ### Dino 0.4.2

    Dino of Debian 12 was used by hand over Prosody 0.12 and ejabberd 23.01, in a window of its own, with Jackdaw at the prompt and in a script:

    | | from it, in Jackdaw | from Jackdaw, in it |
    |---|---|---|
    | text | shown; live, as the copy of another device, late, from the archive | shown; live, as a copy, from the archive |
    | receipt (XEP-0184), marker (XEP-0333) | `✓ bob@jackdaw.test read this.` | a check mark when it has come, two once the prompt has shown it |
    | typing (XEP-0085) | `bob@jackdaw.test (typing)>` | "alice@jackdaw.test is typing…" |
    | correction (XEP-0308) | `(corrected): at nine`; as a copy and from the archive too | "(edited)"; from the archive too |
    | reply (XEP-0461) | `(reply to "hello bob, a first"): a reply`, without the quote; from the archive too | beside the message that it answers; from the archive too. With the quote, where Bob has corrected that message: this Dino does not find it |
    | reaction (XEP-0444) | with the message, from the archive too | below the message; from the archive too. Not where Bob has corrected that message |
    | retraction (XEP-0424) | this Dino sends none | as the text that stands for it; the message stays, as this Dino knows no retractions |
    | what somebody does (XEP-0245) | `* bob@jackdaw.test hops`; late, from the archive | shown as such; late too |
    | styles (XEP-0393) | – | shown as such |
    | subject | – | the text alone |
    """ + "\n"
}
