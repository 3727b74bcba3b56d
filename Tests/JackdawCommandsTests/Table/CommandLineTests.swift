// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
import JackdawSession
import Testing

@testable import JackdawCommands

@Suite("The shell's words")
struct CommandLineTests {
  /// What a command's words came to, or the failure.
  static func parse(_ words: [String]) -> Result<CommandTable.ShellRequest, CommandFailure> {
    do throws(CommandFailure) {
      return .success(try CommandTable.standard.parse(shell: words))
    } catch {
      return .failure(error)
    }
  }

  static func command<Command: ClientCommand>(_ type: Command.Type, _ words: String...) throws -> Command {
    try command(type, words)
  }

  static func command<Command: ClientCommand>(_ type: Command.Type, _ words: [String]) throws -> Command {
    guard case .command(let command, let name) = try CommandTable.standard.parse(shell: words) else {
      throw CommandFailure(.bug, "test", "no command: \(words)")
    }
    #expect(name == CommandTable.standard.name(of: type))
    return try #require(command as? Command)
  }

  @Test("without a command begin a conversation or a script")
  func withoutACommand() throws {
    for words in [[], ["--json"], ["--account", "home", "-v"], ["--keep-going"]] {
      guard case .start(let shared, let keepGoing) = try CommandTable.standard.parse(shell: words) else {
        Issue.record("\(words)")
        continue
      }
      #expect(keepGoing == words.contains("--keep-going"))
      #expect(shared.json == words.contains("--json"))
      #expect(shared.account == (words.contains("home") ? ["home"] : []))
    }
  }

  @Test("give send its recipient, text and options")
  func send() throws {
    let plain = try Self.command(SendCommand.self, "send", "bob@example.org", "hello", "there")
    #expect(plain.recipient == "bob@example.org" && plain.text == ["hello", "there"])
    #expect(plain.wait == .server && !plain.lines && plain.isLimited)
    let several = try Self.command(SendCommand.self, "send", "bob", "Eve Doe", "carol", "--", "-v", "hello", "--json")
    #expect(several.recipient == "bob" && several.also == ["Eve Doe", "carol"])
    #expect(several.text == ["-v", "hello", "--json"] && !several.shared.json)
    #expect(try Self.command(SendCommand.self, "send", "--", "-bob", "hello").recipient == "-bob")
    let sent = try Self.command(SendCommand.self, "send", "bob@example.org", "hello", "--wait", "sent", "--json")
    #expect(sent.text == ["hello"] && sent.wait == .sent && sent.shared.json)
    let dashes = try Self.command(SendCommand.self, "send", "bob@example.org", "--", "--json", "-x", "--")
    #expect(dashes.text == ["--json", "-x", "--"] && !dashes.shared.json)
    let lines = try Self.command(SendCommand.self, "send", "--lines", "bob@example.org")
    #expect(lines.lines && lines.text.isEmpty && !lines.isLimited)
    #expect(try Self.command(SendCommand.self, "send", "a@b", "").text == [""])
    #expect(try Self.command(SendCommand.self, "--timeout", "5", "send", "a@b", "x").shared.timeout == "5")
  }

  @Test("give listen its limits, senders and program")
  func listen() throws {
    let listen = try Self.command(
      ListenCommand.self, "listen", "--from", "a@b", "--from", "c@d", "--count", "2", "--for", "1.5", "--exec",
      "prog 'a b'", "--reply")
    #expect(listen.from == ["a@b", "c@d"] && listen.count == 2 && listen.duration == 1.5)
    #expect(listen.exec == "prog 'a b'" && listen.reply && !listen.isLimited)
  }

  @Test("give the friends' commands whom they are about")
  func friends() throws {
    let list = try Self.command(FriendsListCommand.self, "friends")
    #expect(list.group == nil && !list.online)
    #expect(try Self.command(FriendsListCommand.self, "friends", "--online", "--group", "Work").online)
    let add = try Self.command(
      FriendsAddCommand.self, "friends", "add", "bob@b", "--name", "Bob", "--group", "A", "--group", "B",
      "--message", "It is me")
    #expect(add.addresses == ["bob@b"] && add.name == "Bob" && add.group == ["A", "B"] && add.message == "It is me")
    #expect(try Self.command(FriendsRemoveCommand.self, "friends", "remove", "a@b", "c@d").addresses.count == 2)
    #expect(try Self.command(FriendsAcceptCommand.self, "friends", "accept", "--all", "--one-way").oneWay)
    #expect(try Self.command(FriendsRejectCommand.self, "friends", "reject", "a@b").addresses == ["a@b"])
    #expect(try Self.command(FriendsCancelCommand.self, "friends", "cancel", "a@b").addresses == ["a@b"])
    #expect(try Self.command(FriendsRenameCommand.self, "friends", "rename", "a@b", "").name == [""])
    #expect(
      try Self.command(FriendsRenameCommand.self, "friends", "rename", "a@b", "Bob", "-", "Smith").name
        == ["Bob", "-", "Smith"])
    #expect(try Self.command(FriendsGroupCommand.self, "friends", "group", "a@b").groups.isEmpty)
    for (word, type) in [
      ("unsubscribe", FriendsUnsubscribeCommand.self), ("revoke", FriendsRevokeCommand.self),
      ("approve", FriendsApproveCommand.self),
    ] as [(String, any ClientCommand.Type)] {
      guard case .command(let command, _) = try CommandTable.standard.parse(shell: ["friends", word, "a@b"]) else {
        Issue.record("\(word)")
        continue
      }
      #expect(Swift.type(of: command) == type)
    }
  }

  @Test("give the rooms' commands theirs")
  func rooms() throws {
    let list = try Self.command(RoomsListCommand.self, "rooms")
    #expect(list.room == nil && list.kind == nil)
    let banned = try Self.command(RoomsListCommand.self, "rooms", "list", "tea@r", "banned")
    #expect(banned.room == "tea@r" && banned.kind == .banned)
    let join = try Self.command(RoomsJoinCommand.self, "rooms", "join", "tea@r", "--nick", "Al", "--no-bookmark")
    #expect(join.room == "tea@r" && join.nick == "Al" && join.noBookmark)
    let topic = try Self.command(RoomsTopicCommand.self, "rooms", "topic", "tea@r", "Green", "-", "black?")
    #expect(topic.text == ["Green", "-", "black?"] && !topic.clear)
    let nick = try Self.command(RoomsNickCommand.self, "rooms", "nick", "tea@r", "Al", "the", "First")
    #expect(nick.nick == "Al the First")
    let kick = try Self.command(RoomsKickCommand.self, "rooms", "kick", "tea@r", "Bob", "Eve Doe", "--reason", "x")
    #expect(kick.nicks == ["Bob", "Eve Doe"] && kick.reason == "x")
    let affiliation = try Self.command(
      RoomsAffiliationCommand.self, "rooms", "affiliation", "tea@r", "bob@b", "outcast")
    #expect(affiliation.affiliation == .outcast)
    let find = try Self.command(RoomsFindCommand.self, "rooms", "find", "--limit", "5", "r.example", "tea", "cake")
    #expect(find.words == ["r.example", "tea", "cake"] && find.limit == 5)
    for words in [
      ["list", "tea@r"], ["list", "tea@r", "friends"], ["role", "tea@r", "Bob", "king"], ["notify", "tea@r", "soon"],
      ["config", "tea@r", "=x"], ["find", "--limit", "0"], ["topic", "tea@r", "x", "--clear"], ["kick", "tea@r"],
    ] {
      guard case .failure(let failure) = Self.parse(["rooms"] + words) else {
        // An option behind free text is text.
        #expect(words.last == "--clear")
        continue
      }
      #expect(failure.code == .usage, "\(words)")
    }
  }

  @Test("give the others theirs")
  func others() throws {
    #expect(try Self.command(StatusCommand.self, "status").status == nil)
    let away = try Self.command(StatusCommand.self, "status", "away", "gone", "fishing")
    #expect(away.status == .away && away.text == ["gone", "fishing"])
    #expect(try Self.command(PingCommand.self, "ping").addresses.isEmpty)
    #expect(try Self.command(ChatCommand.self, "chat", "bob").address == "bob")
    #expect(try Self.command(ChatCommand.self, "chat", "Bob", "Smith", "--keep-going").keepGoing)
    #expect(try Self.command(ChatCommand.self, "chat", "Bob", "Smith").address == "Bob Smith")
    #expect(try Self.command(RunCommand.self, "run", "-", "--keep-going").keepGoing)
    #expect(try Self.command(RunCommand.self, "--keep-going", "run", "-").keepGoing)
    #expect(try Self.command(StatusCommand.self, "status", "dnd").status == .busy)
    #expect(try Self.command(StatusCommand.self, "status", "back").status == .online)
    let add = try Self.command(
      AccountAddCommand.self, "account", "add", "a@b", "--name", "n", "--password-command", "pass show x")
    #expect(add.address == "a@b" && add.name == "n" && add.passwordCommand == "pass show x")
    #expect(try Self.command(AccountRemoveCommand.self, "account", "remove", "n").name == "n")
    _ = try Self.command(AccountListCommand.self, "account", "list")
    _ = try Self.command(AccountCheckCommand.self, "account", "check")
  }

  @Test("take a dash for the text that stdin has, and behind '--' for itself")
  func dashes() throws {
    for words in [["a@b", "-"], ["--wait", "sent", "a@b", "-"], ["a@b", "-", "--wait", "sent"]] {
      let send = try Self.command(SendCommand.self, ["send"] + words)
      #expect(send.recipient == "a@b" && send.text.isEmpty && send.wait == (words.count == 2 ? .server : .sent))
    }
    #expect(try Self.command(SendCommand.self, "send", "a@b", "-", "--lines").lines)
    #expect(try Self.command(XMLCommand.self, "xml", "-").stanza.isEmpty)
    for words in [["a@b", "--", "-"], ["c@d", "a@b", "--", "-"]] {
      #expect(try Self.command(SendCommand.self, ["send"] + words).text == ["-"])
    }
    #expect(try Self.command(SendCommand.self, "send", "a@b", "-", "x").text == ["-", "x"])
    #expect(try Self.command(StatusCommand.self, "status", "away", "-").text == ["-"])
  }

  @Test("give history import its files")
  func historyImport() throws {
    let command = try Self.command(
      HistoryImportCommand.self, "history", "import", "a.jsonl", "logs", "--format", "profanity", "--dry-run")
    #expect(command.files == ["a.jsonl", "logs"] && command.format == .profanity && command.dryRun)
    #expect(try Self.command(HistoryImportCommand.self, "history", "import", "-").format == nil)
  }

  @Test(
    "that are wrong are one sentence and code 64",
    arguments: [
      (
        ["send"],
        "JID is missing. Type: jackdaw send JID [TEXT …], as in: jackdaw send bob@example.org On my way"
      ),
      (["send", "a@b", "--lines", "x"], "'--lines' reads the messages from stdin: leave TEXT out"),
      (
        ["send", "--wait", "soon", "a@b", "x"],
        "'soon' is not a value for '--wait WAIT', which takes one of sent, server, delivered, displayed. Type: "
      ),
      (["send", "a@b", "-5"], "There is no option '-5'; put '--' before a text that begins with '-'"),
      (["--frob"], "There is no option '--frob'"),
      (["listen", "--cuont", "2"], "There is no option '--cuont'; did you mean '--count'?"),
      (
        ["listen", "--count", "x"],
        "'x' is not a value for '--count N'. Type: jackdaw listen, as in: jackdaw listen --"
      ),
      (["listen", "--count", "0"], "'--count' takes a number from 1 on"),
      (["listen", "--for", "-1"], "'--for' takes seconds"),
      (["history", "--limit", "-1"], "'--limit' takes a number from 1 on"),
      (
        ["friends", "add", "a@b", "--message", "-hi"],
        "A value is missing after '--message TEXT'; one that begins with '-'"
      ),
      (["listen", "--for", "nan"], "'--for' takes seconds"),
      (["listen", "--reply"], "'--reply' needs '--exec'"),
      (
        ["friends", "add"],
        "JID is missing. Type: jackdaw friends add JID …, as in: jackdaw friends add "
      ),
      (["friends", "add", "a@b", "c@d", "--name", "x"], "'--name' is for one address, and there are 2"),
      (["friends", "accept"], "Name somebody, or use '--all'."),
      (["friends", "accept", "a@b", "--all"], "Name somebody, or use '--all'."),
      (["friends", "list", "bob"], "'bob' is one word too many. Type: jackdaw friends list"),
      (
        ["status", "lunch"],
        "'lunch' is not a value for 'STATUS', which takes one of online, chat, away, xa, busy, offline"
      ),
      (["friends", "list", "bob", "carol"], "These words are too many: 'bob' 'carol'. Type: jackdaw friends list"),
      (["ping", "--json=3"], "'--json' takes no value. Type: jackdaw ping [JID …], as in: jackdaw ping"),
      (["account", "add", "a@b", "--name", ""], "'--name' is empty"),
      (["account", "add", "a@b", "--password-file", "f", "--password-command", "c"], "Use '--password-command' or"),
      (["run"], "FILE is missing. Type: jackdaw run FILE"),
      (["--timeout"], "A value is missing after '--timeout SECONDS'."),
      (["history", "import"], "FILE is missing. Type: jackdaw history import "),
      (["--password", "x"], "There is no option '--password'"),
      // What its value was taken for is not what is wrong.
      (["friends", "add", "a@b", "--wording", "x", "--name", "B"], "There is no option '--wording'. Type: "),
      (["friends", "accept", "a@b", "--all", "--nam=x"], "There is no option '--nam'"),
      (["friends", "rename", "--as", "Bob"], "There is no option '--as'"),
    ])
  func thatAreWrong(_ words: [String], _ text: String) {
    guard case .failure(let failure) = Self.parse(words) else {
      Issue.record("\(words) were taken")
      return
    }
    #expect(failure.code == .usage && failure.condition == "usage")
    #expect(failure.text.hasPrefix(text), "\(failure.text)")
    #expect(!failure.text.contains("\n"))
  }

  @Test(
    "that ask for text get it",
    arguments: [
      (["--version"], "jackdaw "), (["--help"], "OVERVIEW: Chat over XMPP"), (["help"], "  jackdaw  "),
      (["--help-all"], "OVERVIEW: Chat over XMPP"), (["help", "all"], "  jackdaw chat [JID]"),
      (["help", "friends", "add"], "OVERVIEW: Add a friend"), (["friends", "add", "--help"], "OVERVIEW: Add a friend"),
      (["send", "-h"], "OVERVIEW: Send a message"), (["help", "account"], "OVERVIEW: Manage the accounts"),
      (["--generate-completion-script", "bash"], "#!/bin/bash"),
      (["--generate-completion-script", "zsh"], "#compdef jackdaw"),
      (["--generate-completion-script", "fish"], "function __jackdaw"), (["--experimental-dump-help"], "{"),
      ([CommandTable.lineTableOption], "{"),
    ])
  func thatAskForTextGetIt(_ words: [String], _ beginning: String) throws {
    guard case .text(let text) = try CommandTable.standard.parse(shell: words) else {
      Issue.record("\(words) are no request for a text")
      return
    }
    #expect(text.hasPrefix(beginning), "\(text.prefix(80))")
  }

  @Test("never hold a password: there is no option for one")
  func neverHoldAPassword() {
    for command in CommandTable.standard.leaves(for: .shell) {
      #expect(!CommandTable.standard.options(of: command, in: .shell).contains { $0.name == "--password" })
    }
  }
}
