// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("A script's own commands", .onLoop)
struct ScriptCommandTests {
  private func rig(
    _ files: [String: String], environment: [String: String] = [:]
  ) throws -> ApplicationRig {
    try ApplicationRig(environment: environment, scripts: files.mapValues { TypedLines($0) })
  }

  // MARK: /set

  @Test("/set gives a variable its value, over the environment's; the password is in none")
  func set() async throws {
    let rig = try rig(
      [
        "f": """
        /to ${friend}
        /set friend carol@example.org
        ${friend} in ${PLACE}
        /set friend
        [${friend}]
        ${JACKDAW_PASSWORD}
        """
      ], environment: ["friend": "bob@example.org", "PLACE": "Berlin"])
    #expect(try await rig.run("run", "f") == .badInput)
    #expect(rig.sentMessages == ["bob@example.org|carol@example.org in Berlin", "bob@example.org|[]"])
    #expect(rig.output.failures.map(\.text).first?.hasPrefix("line 6: There is no variable 'JACKDAW_PASSWORD'") == true)
  }

  @Test(
    "a message is sent whatever a variable holds, and to nobody whom the value names",
    arguments: ["--help", "--also=eve@example.org"])
  func sentAsItIs(_ value: String) async throws {
    let rig = try rig(
      [
        "f":
          "/send bob@example.org ${TEXT}\n/expect 0 /send bob@example.org ${TEXT} hello\n/send ${TEXT} bob@example.org hello"
      ],
      environment: ["TEXT": value])
    #expect(try await rig.run("run", "f") == .badInput)
    #expect(rig.sentMessages == ["bob@example.org|\(value)", "bob@example.org|\(value) hello"])
    #expect(rig.output.failures.first?.text.hasPrefix("line 3: A value that begins with '-'") == true)
  }

  @Test(
    "what asks the server waits until that has dealt with most of what was said before, and nothing that only waits does",
    arguments: [
      ("friends add bob@example.org", true), ("friends remove bob@example.org", true), ("friends accept --all", true),
      ("friends reject --all", true), ("friends unsubscribe bob@example.org", true), ("history sync", true),
      ("if-online bob@example.org send bob@example.org hi", true), ("expect 0 ping", false), ("sleep 1", false),
      ("wait message", false), ("include f", false),
    ])
  func behindMessages(_ line: String, _ asks: Bool) throws {
    guard
      case .command(let command, _) = try CommandTable.standard.parse(line: line.split(separator: " ").map(String.init))
    else {
      Issue.record("it is a command")
      return
    }
    #expect(command.asksAtOnce == asks)
  }

  @Test("what others write is not replaced")
  func network() async throws {
    let lines = TypedLines(isOpen: true)
    let rig = try ApplicationRig(lines, environment: ["HOME": "/home/alice"])
    let run = try await rig.start()
    lines.type("/ping")
    await rig.fixture.clock.settle()
    await rig.fixture.receive("<message from='bob@example.org/x' type='chat'><body>${HOME}</body></message>")
    lines.end()
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
    #expect(rig.output.messages == ["${HOME}"])
  }

  @Test("a message whose variable has no value puts in doubt only itself; a command's may have picked somebody else")
  func doubt() async throws {
    let rig = try rig(["f": "/to bob@example.org\n${no}\nfor bob\n/to ${no}\nlost\n/to bob@example.org\nagain"])
    #expect(try await rig.run("run", "--keep-going", "f") == .usage)
    #expect(rig.sentMessages == ["bob@example.org|for bob", "bob@example.org|again"])
    #expect(rig.output.failures.map(\.condition) == ["unset-variable", "unset-variable", "no-conversation"])
  }

  @Test("are refused at the prompt, which does not offer them", arguments: ["set x y", "include f", "expect 0 ping"])
  func prompt(_ line: String) async throws {
    let rig = try ApplicationRig(isTerminal: true)
    let run = try await rig.start()
    rig.prompt.type("/" + line)
    await rig.fixture.clock.settle()
    let word = String(line.prefix { $0 != " " })
    #expect(rig.output.failures.map(\.code) == [.usage])
    #expect(rig.output.failures.first?.text.contains("'/\(word)' is for scripts") == true)
    rig.prompt.type("/quit")
    await rig.fixture.clock.elapse(.seconds(10))
    #expect(run.value == .success)
  }

  // MARK: /include

  @Test("/include runs the lines of a file beside the one that names it, and what it sets stays set")
  func include() async throws {
    let rig = try rig([
      "scripts/main": "/include more/one\n/to ${who}\n/include more/one\nhello",
      "scripts/more/one": "/set who bob@example.org\n/include two",
      "scripts/more/two": "/send carol@example.org ${who}",
    ])
    #expect(try await rig.run("run", "scripts/main") == .success)
    // A file's lines can be given once here.
    #expect(rig.sentMessages == ["carol@example.org|bob@example.org", "bob@example.org|hello"])
  }

  @Test("a failure in an included file names that file and its line, and the script's own line stays as it was")
  func includeFails() async throws {
    let files = [
      "d/main": "# first\n/include bad\n/nonsense", "d/bad": "\n/include worse", "d/worse": "/ping\n/ping @@",
    ]
    let stopped = try rig(files)
    #expect(try await stopped.run("run", "d/main") == .badInput)
    #expect(stopped.output.failures.count == 1)
    #expect(stopped.output.failures.first?.text.hasPrefix("d/worse: line 2: ") == true)
    let going = try rig(files)
    #expect(try await going.run("run", "--keep-going", "d/main") == .usage)
    #expect(
      going.output.failures.map { String($0.text.prefix(14)) } == ["d/worse: line ", "line 3: There "])
    #expect(going.output.notices.contains("2 of 5 lines failed."))
  }

  @Test("whom plain lines go to behind /include is whom the lines above it named")
  func includedConversation() async throws {
    let rig = try rig([
      "main": "/to bob@example.org\n/include one\nto bob\n/include two\nto bob again",
      "one": "first\n/to carol@example.org\nto carol", "two": "/close",
    ])
    #expect(try await rig.run("run", "main") == .success)
    #expect(
      rig.sentMessages == [
        "bob@example.org|first", "carol@example.org|to carol", "bob@example.org|to bob", "bob@example.org|to bob again",
      ])
  }

  @Test("from which account plain lines go behind /include is the one that the lines above it named")
  func includedAccount() async throws {
    let rig = try ApplicationRig()
    let runner = LineRunner(origin: .script, application: rig.application, output: rig.output)
    let accounts = try ["alice@example.org", "carol@example.org"].map {
      rig.application.candidate(Configuration.Account(try JID($0)))
    }
    runner.state.work(with: accounts)
    let included = "/account carol@example.org\n/to eve@example.org"
    let main = "/to bob@example.org\n/include one"
    try await ScriptRunner(
      lines: TypedLines(main), path: "main", runner: runner, output: rig.output, keepsGoing: false,
      open: { _ throws(CommandFailure) in TypedLines(included) }
    ).run()
    #expect(runner.state.account === accounts[0])
    #expect(try runner.state.conversation == .with(JID("bob@example.org")))
    // Nor has anybody been picked for the other account.
    runner.state.use(accounts[1])
    #expect(runner.state.conversation == .none)
  }

  @Test("a file that is not there, or includes itself, also by another, is refused")
  func includesItself() async throws {
    let missing = try rig(["d/main": "/include none"])
    #expect(try await missing.run("run", "d/main") == .badInput)
    #expect(missing.output.failures.first?.text == "line 1: d/none cannot be read")
    let circle = try rig(["d/main": "/include one", "d/one": "/include ../d/main", "d/../d/main": "/include one"])
    #expect(try await circle.run("run", "d/main") == .badInput)
    #expect(circle.output.failures.first?.text == "d/../d/main: line 1: d/../d/one cannot be read")
    let itself = try rig(["main": "/include main"])
    #expect(try await itself.run("run", "main") == .badInput)
    #expect(itself.output.failures.first?.text == "line 1: main includes itself.")
  }

  @Test("files within files are bounded")
  func depth() async throws {
    let files = (0...20).map { ("f\($0)", "/include f\($0 + 1)") }
    let rig = try rig(Dictionary(uniqueKeysWithValues: files))
    #expect(try await rig.run("run", "f0") == .badInput)
    #expect(
      rig.output.failures.map(\.text) == [
        "f16: line 1: More than 16 files include one another: f17 is left out."
      ])
  }

  @Test("/quit in an included file ends the script, and a line that cannot be read is named with the file")
  func includedEnds() async throws {
    let quitting = try rig(["main": "/to bob@example.org\n/include one\nlost", "one": "/quit"])
    #expect(try await quitting.run("run", "main") == .success)
    #expect(quitting.sentMessages == [])
    let unreadable = TypedLines()
    unreadable.fail(CommandFailure(.badInput, "not-utf-8", "Line 1 is not UTF-8."))
    let rig = try ApplicationRig(scripts: ["main": TypedLines("/include one"), "one": unreadable])
    #expect(try await rig.run("run", "main") == .badInput)
    #expect(rig.output.failures.map(\.text) == ["one: Line 1 is not UTF-8."])
  }

  // MARK: /expect, $?

  @Test("/expect lets a script go on over the failure that it names, and over no other")
  func expect() async throws {
    let rig = try rig([
      "f": "/expect 65 /ping @@\n/post x-code $?\n/expect 0,65 ping @@\n/expect 65\n/expect 67 /ping @@\n/post x-lost"
    ])
    #expect(try await rig.run("run", "f") == .badInput)
    #expect(rig.fixture.events(ScriptEvent.self).map(\.text) == ["65"])
    #expect(rig.output.failures.count == 1)
    #expect(rig.output.failures.first?.text.hasPrefix("line 5: The exit code was to be 67, and is 65: ") == true)
    #expect(rig.output.failures.first?.command == "ping")
  }

  @Test("a command that ends well where a failure is expected is a failure")
  func expectedFailure() async throws {
    let rig = try rig(["f": "/expect 67 /post x-a"])
    #expect(try await rig.run("run", "f") == .unavailable)
    #expect(rig.output.failures.map(\.text) == ["line 1: The exit code was to be 67, and is 0."])
  }

  @Test("$? is how the last command ended; with --keep-going a line may ask for it")
  func lastCode() async throws {
    let rig = try rig([
      "f": "/nonsense\n# a remark\n\n/expect 64\n/post x-a $?\n/post x-b $?\n/expect 64\n/expect 0,64\n/post x-c $?"
    ])
    #expect(try await rig.run("run", "--keep-going", "f") == .unavailable)
    #expect(rig.fixture.events(ScriptEvent.self).map(\.text) == ["64", "0", "0"])
    #expect(rig.output.notices.contains("2 of 7 lines failed."))
  }

  @Test("a file that /expect includes ends with its first failure, whatever the script does")
  func expectedFile() async throws {
    let files = ["f": "/expect 65 /include g\n/post x-code $?", "g": "/ping @@\n/post x-lost"]
    let rig = try rig(files)
    #expect(try await rig.run("run", "--keep-going", "f") == .success)
    #expect(rig.fixture.events(ScriptEvent.self).map(\.text) == ["65"])
    #expect(rig.output.failures.isEmpty && rig.output.notices.isEmpty)
  }

  @Test("/expect takes exit codes alone", arguments: ["1", "x", "67,", "", "130", "0,1"])
  func wrongCode(_ code: String) async throws {
    let rig = try rig(["f": "/expect '\(code)' /post x-a"])
    #expect(try await rig.run("run", "f") == .usage)
    #expect(rig.fixture.events(ScriptEvent.self).isEmpty)
  }

  @Test("an /expect that is not understood may have been one that picks somebody else")
  func wrongPerson() async throws {
    let rig = try rig(["f": "/to bob@example.org\n/expect 1 /to carol@example.org\nlost\n/expect 65 /to @@\nlost"])
    #expect(try await rig.run("run", "--keep-going", "f") == .usage)
    #expect(rig.sentMessages == [])
    #expect(rig.output.failures.map(\.condition) == ["usage", "no-conversation", "no-conversation"])
  }

  @Test("an interrupt ends the script, whatever /expect expects")
  func interrupted() async throws {
    let rig = try rig(["f": "/expect 0,75 /wait message --for 100\n/post x-lost"])
    let run = try await rig.start("run", "f")
    rig.application.interrupted(by: 2)
    await rig.fixture.clock.settle()
    #expect(run.value == .interrupted)
  }

  // MARK: /if-online

  /// A script that is typed, of somebody whose friends are Bob, whose server is theirs too, and Carol, whose server is not.
  private func typing(_ lines: String...) async throws -> (ApplicationRig, StartedTask<ExitCode>) {
    let typed = TypedLines(isOpen: true)
    let rig = try ApplicationRig(typed)
    rig.setRoster([("bob@example.org", "Bob", []), ("carol@elsewhere.net", "Carol", [])])
    let run = try await rig.start()
    for line in ["/ping"] + lines { typed.type(line) }
    await rig.fixture.clock.settle()
    return (rig, run)
  }

  private func end(_ rig: ApplicationRig, _ run: StartedTask<ExitCode>) async -> ExitCode? {
    rig.lines.end()
    await rig.fixture.clock.elapse(.seconds(1))
    return run.value
  }

  @Test(
    "/if-online runs the rest of the line where the contact is online, however that is written", arguments: ["", "/"])
  func online(_ slash: String) async throws {
    let (rig, run) = try await typing()
    await rig.fixture.receive("<presence from='bob@example.org/x'><show>dnd</show></presence>")
    rig.lines.type("/if-online Bob \(slash)send bob@example.org 'are you  there?'")
    rig.lines.type("/post x-next $?")
    #expect(await end(rig, run) == .success)
    #expect(rig.sentMessages == ["bob@example.org|are you  there?"])
    #expect(rig.fixture.events(ScriptEvent.self).map(\.text) == ["0"])
  }

  @Test("/if-online runs nothing where the contact is offline, and that is no failure")
  func offline() async throws {
    let (rig, run) = try await typing("/if-online bob@example.org /send bob@example.org hello", "/post x-next $?")
    #expect(await end(rig, run) == .success)
    #expect(rig.sentMessages == [])
    #expect(rig.fixture.events(ScriptEvent.self).map(\.text) == ["0"])
  }

  @Test("/if-online waits until it is known, at most --timeout", arguments: ["", "type='unavailable'", nil])
  func unknown(_ attribute: String?) async throws {
    let (rig, run) = try await typing("/if-online Carol send Carol hello", "/post x-next")
    await rig.fixture.clock.elapse(.seconds(20))
    #expect(rig.sentMessages == [] && rig.fixture.events(ScriptEvent.self).isEmpty && !run.hasEnded)
    if let attribute {
      await rig.fixture.receive("<presence from='carol@elsewhere.net/x' \(attribute)/>")
      #expect(await end(rig, run) == .success)
      #expect(rig.sentMessages == (attribute.isEmpty ? ["carol@elsewhere.net|hello"] : []))
    } else {
      await rig.fixture.clock.elapse(.seconds(11))
      #expect(run.value == .tryAgain)
      #expect(
        rig.output.failures.map(\.text) == ["line 2: Nobody said within 30 s whether carol@elsewhere.net is online."])
    }
  }

  @Test("/if-online fails where nobody would ever say so")
  func neverKnown() async throws {
    let (stranger, run) = try await typing("/if-online eve@example.org ping")
    #expect(run.value == .unavailable)
    #expect(stranger.output.failures.first?.text.contains("does not let you see") == true)
    let (unseen, second) = try await typing("/status offline", "/if-online Carol ping")
    #expect(second.value == .unavailable)
    #expect(unseen.output.failures.first?.text.contains("Your status is offline") == true)
  }

  @Test(
    "/if-online refuses what would pick whom plain lines go to",
    arguments: ["/to", "close", "query", "/expect 0 /to", "/expect 64,0 /if-online bob@example.org to"])
  func picking(_ words: String) async throws {
    let (rig, run) = try await typing("/if-online bob@example.org \(words) bob@example.org")
    #expect(run.value == .usage)
    #expect(rig.output.failures.first?.text.contains("cannot stand behind '/if-online'") == true)
  }

  @Test(
    "a line that was to pick somebody by another command, and did not get to it, ends the conversation",
    arguments: [
      "/if-online carol@elsewhere.net to carol@elsewhere.net",
      "/expect 64 /if-online bob@example.org /to bob@example.org",
      "/expect 64 if-online bob@example.org expect 0 to bob@example.org", "/if-online nobody tp carol@elsewhere.net",
    ])
  func notReached(_ line: String) async throws {
    let rig = try rig([
      "f": "/to bob@example.org\nfor bob\n\(line)\nSECRET\n/to carol@elsewhere.net\nfor carol"
    ])
    #expect(try await rig.run("run", "--keep-going", "f") == .usage)
    #expect(rig.sentMessages == ["bob@example.org|for bob", "carol@elsewhere.net|for carol"])
    #expect(rig.output.failures.last?.condition == "no-conversation")
  }

  @Test("a command that fails behind another one and picks nobody leaves the conversation as it is")
  func pickingNobody() async throws {
    let rig = try rig([
      "f": "/to bob@example.org\n/if-online eve@example.org /ping\none\n/expect 0 /ping @@\ntwo"
    ])
    #expect(try await rig.run("run", "--keep-going", "f") == .badInput)
    #expect(rig.sentMessages == ["bob@example.org|one", "bob@example.org|two"])
  }
}
