// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What Docs/MESSAGES.md says of other clients: of those at terminals what ``OtherClientsProgramTests`` expects of them.
enum OtherClientsPage {
  static var text: String { beginning + TerminalClient.allCases.map(table).joined() + newPoezio + dino }

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

  /// What no test can show each time, as no Debian has it.
  private static let newPoezio = """

    ### poezio 0.18

    poezio of PyPI, with its plugins `react`, `retract`, `embed` and `omemo` (poezio-omemo 0.9.1), was used by hand over Prosody 0.12 and ejabberd
    23.01. What it sends was read live, as the copy of what another device of Bob's says, late, and by a device that has it from the archive
    alone; what we send was on its screen live. It sends no replies, and nothing to one device alone.

    | | from it, in Jackdaw | from Jackdaw, in it |
    |---|---|---|
    | text, what somebody does (XEP-0245) | `bob@jackdaw.test: hello alice`, `* bob@jackdaw.test hops` | `alice> hello bob`, `* alice waves` |
    | correction (XEP-0308) | `bob@jackdaw.test (corrected): at ten` | `alice1> at nine`, in its place |
    | reaction (XEP-0444) | `-- bob@jackdaw.test reacted 👍 to "Pizza?".`; taken back too. Not from the archive: it does not ask servers to keep it | `👍` below the message |
    | retraction (XEP-0424) | `-- bob@jackdaw.test took back "a secret".`, `(retracted): a secret` in the history | `This message has been retracted.`, in its place |
    | link (XEP-0066) | `bob@jackdaw.test (link): https://example.org/cat.png` | – |
    | attention (XEP-0224) | `-- bob@jackdaw.test wants your attention.`; live and as a copy | – |
    | encryption (OMEMO, XEP-0384) | `-- bob@jackdaw.test sent an encrypted message (OMEMO) that Jackdaw cannot read.` | – |
    | reply (XEP-0461) | – | `alice> > Soup? ⏎ Yes` |
    | subject, styles (XEP-0393) | – | the text alone, as it was typed |
    | receipt (XEP-0184) | – | `✔` |
    """ + "\n"

  /// What no test can show each time, as a client in a window takes part in it.
  private static let dino = """

    ### Dino 0.4.2

    Dino of Debian 12 was used by hand over Prosody 0.12 and ejabberd 23.01, in a window of its own, with Jackdaw at the prompt and in a script.
    "In every way" is live, as a copy of either kind, late, and from the archive, on both servers:

    | | from it, in Jackdaw | from Jackdaw, in it |
    |---|---|---|
    | text | shown; live, as the copy of another device, late, from the archive | shown; live, as a copy, from the archive |
    | receipt (XEP-0184), marker (XEP-0333) | `✓ bob@jackdaw.test read this.` | a check mark when it has come, two once the prompt has shown it |
    | typing (XEP-0085) | `bob@jackdaw.test (typing)>` | "alice@jackdaw.test is typing…" |
    | correction (XEP-0308) | `(corrected): at nine`, in every way | "(edited)", in every way |
    | reply (XEP-0461) | `(reply to "hello bob, a first"): a reply`, without the quote, in every way | beside the message that it answers, in every way. With the quote, where Bob has corrected that message: this Dino does not find it |
    | reaction (XEP-0444) | `-- bob@jackdaw.test reacted 😍 to "Pizza?".`, in every way | below the message; late, as the copy of another device of Bob's, from the archive too. Not where Bob has corrected that message |
    | retraction (XEP-0424) | this Dino sends none | as the text that stands for it; the message stays, as this Dino knows no retractions |
    | what somebody does (XEP-0245) | `* bob@jackdaw.test hops`; late, from the archive | shown as such; late too |
    | encryption (OMEMO, XEP-0384) | `-- bob@jackdaw.test sent an encrypted message (OMEMO) that Jackdaw cannot read.`, in every way, a correction too | – |
    | encryption (OpenPGP, XEP-0027) | `-- bob@jackdaw.test sent an encrypted message (OpenPGP) that Jackdaw cannot read.`, in every way | – |
    | styles (XEP-0393) | – | shown as such |
    | subject | – | the text alone |
    """ + "\n"
}
