// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawHosts
import JackdawLoop
import JackdawProtocol
import JackdawTransport
import Support
import Testing

@testable import JackdawCommands

@Suite("Settings")
struct SettingsReaderTests {
  /// Reads the settings of a command line with an environment and a configuration file.
  static func settings(
    _ words: [String] = [], _ environment: [String: String] = [:], configuration: String? = nil
  ) async throws -> Settings {
    try await TestDirectory.with { directory in
      var environment = environment
      if let configuration {
        environment["JACKDAW_CONFIG"] = try directory.write(configuration, to: "config.toml")
      }
      if environment["HOME"] == nil { environment["HOME"] = directory.path }
      let request = try CommandTable.standard.parse(shell: words)
      return try SettingsReader(options: try #require(request.shared), environment: EnvironmentVariables(environment))
        .settings()
    }
  }

  static let two = """
    default_account = "home"
    [accounts.home]
    jid = "me@home"
    server = "file:1"
    tls = "starttls"
    ca_file = "/file"
    password = "file"
    [accounts.work]
    jid = "me@work"
    """

  @Test("come from the option, else the environment, else the file, else they have defaults")
  func precedence() async throws {
    let environment = [
      "JACKDAW_SERVER": "environment:2", "JACKDAW_TLS": "direct", "JACKDAW_CA_FILE": "/environment",
      "JACKDAW_PASSWORD_FILE": "/environment/password", "JACKDAW_TIMEOUT": "2", "JACKDAW_DATA_DIR": "/environment/data",
      "JACKDAW_OUTPUT": "json", "NO_COLOR": "1", "JACKDAW_ACCOUNT": "work",
    ]
    let options = [
      "--server", "option:3", "--tls", "auto", "--ca-file", "/option", "--password-file", "/option/password",
      "--timeout", "3", "--data-dir", "/option/data", "--json", "--color", "always", "--account", "home",
    ]
    let all = try await Self.settings(options, environment, configuration: Self.two)
    #expect(all.server?.description == "option:3" && all.tls == .auto && all.caFile == "/option")
    #expect(all.password == .file("/option/password") && all.timeout == .seconds(3) && all.dataFolder == "/option/data")
    #expect(
      all.isJSON && all.color == .always && all.accountName == "home" && all.chosenAccount?.description == "me@home")

    let environmentOnly = try await Self.settings([], environment, configuration: Self.two)
    #expect(environmentOnly.server?.description == "environment:2" && environmentOnly.tls == .direct)
    #expect(environmentOnly.caFile == "/environment" && environmentOnly.password == .file("/environment/password"))
    #expect(environmentOnly.timeout == .seconds(2) && environmentOnly.dataFolder == "/environment/data")
    #expect(environmentOnly.isJSON && environmentOnly.color == .never && environmentOnly.accountName == "work")

    let file = try await Self.settings([], [:], configuration: Self.two)
    #expect(file.server?.description == "file:1" && file.tls == .starttls && file.caFile == "/file")
    #expect(file.password == .inline("file") && file.accountName == "home")

    let none = try await Self.settings([], ["HOME": "/h"])
    #expect(none.server == nil && none.tls == .auto && none.caFile == nil && none.password == nil)
    #expect(none.timeout == .seconds(30) && none.dataFolder == "/h/.local/share/jackdaw" && !none.isJSON)
    #expect(none.configurationPath == "/h/.config/jackdaw/config.toml" && none.color == .auto)
    #expect(none.chosenAccount == nil && none.showsPresence && !none.isQuiet && !none.isVerbose && !none.logsXML)
  }

  @Test("have paths that mean the same wherever the program goes: from its folder, or from that of whom it is run for")
  func absolutePaths() async throws {
    let here = try await Self.settings(["--ca-file", "ca.pem"], ["JACKDAW_DATA_DIR": "data"])
    #expect(here.caFile?.first == "/" && here.caFile?.hasSuffix("/ca.pem") == true)
    #expect(here.dataFolder?.first == "/" && here.dataFolder?.hasSuffix("/data") == true)
    let request = try CommandTable.standard.parse(shell: ["--data-dir", "data"])
    let there = try SettingsReader(
      options: try #require(request.shared), environment: ["HOME": "/nonexistent", "JACKDAW_CA_FILE": "ca.pem"],
      directory: "/there"
    ).settings()
    #expect(there.caFile == "/there/ca.pem" && there.dataFolder == "/there/data")
  }

  @Test("say with which words another process is for some of the chosen accounts alone")
  func repeatedWords() async throws {
    let words = ["--account", "home", "--account", "work", "--data-dir", "/d", "--timeout", "4", "--no-history"]
    let settings = try await Self.settings(words + ["--json", "-q"], configuration: Self.two)
    #expect(Array(settings.wordsForAgent.joined()) == words)
    let some = settings.wordsForAgent(of: ["work"])
    #expect(
      some.joined().elementsEqual(["--account", "work", "--data-dir", "/d", "--timeout", "4", "--no-history"]))
  }

  @Test("of one account are refused, and not passed over, where the prompt would be for all that are configured")
  func optionsOfOneAccount() async throws {
    let several = Self.two.replacing("default_account = \"home\"\n", with: "")
    #expect(try await Self.settings(configuration: several).withAllAccounts().otherAccounts.map(\.name) == ["work"])
    for words in [["--server", "h:1"], ["--tls", "direct"], ["--ca-file", "/x"], ["--password-file", "/x"]] {
      let settings = try await Self.settings(words, configuration: several)
      let failure = #expect(throws: CommandFailure.self) { try settings.withAllAccounts() }
      #expect(failure?.code == .usage && failure?.text.hasPrefix(words[0]) == true, "\(words)")
      let one = try await Self.settings(words + ["--account", "work"], configuration: several)
      #expect(try one.withAllAccounts().accountName == "work")
    }
    let settings = try await Self.settings([], ["JACKDAW_PASSWORD": "x"], configuration: several)
    #expect(throws: CommandFailure.self) { try settings.withAllAccounts() }
  }

  @Test("are for each address once where the prompt is for all accounts, and two entries have the same")
  func sameAddress() async throws {
    let several =
      Self.two.replacing("default_account = \"home\"\n", with: "") + "\n[accounts.away]\njid = \"me@home/away\"\n"
    let settings = try await Self.settings(configuration: several).withAllAccounts()
    #expect(settings.accountName == "away" && settings.otherAccounts.map(\.name) == ["work"])
  }

  @Test("call an address that has several names by the one that was chosen")
  func nameOfAddress() async throws {
    let several = Self.two + "\n[accounts.away]\njid = \"me@home/away\"\n"
    func name(_ words: [String], of file: String) async throws -> String? {
      try await Self.settings(words, configuration: file).namesByAccount[JID("me@home")]
    }
    #expect(try await name([], of: several) == "home")
    #expect(try await name(["--account", "away"], of: several) == "away")
    #expect(try await name(["--account", "work", "--account", "home"], of: several) == "home")
    let unchosen = several.replacing("default_account = \"home\"\n", with: "")
    #expect(try await name([], of: unchosen) == "away")
  }

  @Test("may choose several accounts: by the option, the environment, or the file, each once")
  func severalAccounts() async throws {
    let three = Self.two.replacing("\"home\"", with: "[\"work\", \"home\"]") + "\n[accounts.bot]\njid = \"me@bot\"\n"
    func chosen(_ words: [String] = [], _ environment: [String: String] = [:]) async throws -> [String] {
      let settings = try await Self.settings(words, environment, configuration: three)
      return [settings.accountName ?? "none"] + settings.otherAccounts.map(\.name)
    }
    #expect(try await chosen() == ["work", "home"])
    #expect(try await chosen(["--account", "bot", "--account", "home", "--account", "bot"]) == ["bot", "home"])
    #expect(try await chosen([], ["JACKDAW_ACCOUNT": "home,bot"]) == ["home", "bot"])
    #expect(try await chosen([], ["JACKDAW_ACCOUNT": " home , bot "]) == ["home", "bot"])
    #expect(try await chosen(["--account", "bot,work", "--account", "home"]) == ["bot", "work", "home"])
    let called = three + "\n[accounts.\"home,bot\"]\njid = \"me@both\"\n"
    let settings = try await Self.settings(["--account", "home,bot"], configuration: called)
    #expect(settings.accountName == "home,bot" && settings.otherAccounts.isEmpty)
    #expect(try await chosen(["--account", "home"]) == ["home"])
    // One account's way to its server is not another's.
    for words in [["--server", "localhost"], ["--password-file", "x"], ["--tls", "direct"], ["--ca-file", "x"]] {
      await #expect { try await chosen(["--account", "bot", "--account", "home"] + words) } throws: {
        ($0 as? CommandFailure)?.code == .usage
      }
    }
    await #expect { try await chosen(["--account", "bot", "--account", "nobody"]) } throws: {
      ($0 as? CommandFailure)?.code == .configuration
    }
  }

  @Test("have the theme of the option, else of the environment, else of the file, and no colours where that is none")
  func theme() async throws {
    let file = "theme = \"none\"\n[colors]\nown = \"red\"\n"
    let plain = try await Self.settings([], [:], configuration: file)
    #expect(plain.looks.theme == .none && plain.color == .never && plain.looks.colors[.own] == Paint(.ansi(1)))
    let light = try await Self.settings([], ["JACKDAW_THEME": "light"], configuration: file)
    #expect(light.looks.theme == .light && light.color == .auto && light.looks.colors[.own] == Paint(.ansi(1)))
    #expect(try await Self.settings(["--theme", "dark"], ["JACKDAW_THEME": "light"]).looks.theme == .dark)
    #expect(try await Self.settings(["--theme", "none"], [:]).color == .never)
    #expect(try await Self.settings(["--color", "always"], [:], configuration: file).color == .always)
  }

  @Test("are for a screen reader by the option, else the environment, else the file")
  func screenReader() async throws {
    let file = "screen_reader = true\n"
    #expect(try await Self.settings([], [:], configuration: file).looks.isSpoken)
    #expect(try await !Self.settings([], ["JACKDAW_SCREEN_READER": "0"], configuration: file).looks.isSpoken)
    #expect(try await Self.settings([], ["JACKDAW_SCREEN_READER": "1"]).looks.isSpoken)
    #expect(try await Self.settings(["--screen-reader"], ["JACKDAW_SCREEN_READER": "0"]).looks.isSpoken)
    #expect(try await !Self.settings([], [:]).looks.isSpoken)
  }

  @Test("follow the XDG folders, if those are absolute")
  func xdg() async throws {
    let settings = try await Self.settings(
      [], ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "relative"])
    #expect(settings.configurationPath == "/c/jackdaw/config.toml")
    #expect(settings.dataFolder == "/h/.local/share/jackdaw")
  }

  @Test("take an empty variable for none")
  func emptyVariables() async throws {
    let settings = try await Self.settings(
      [], ["HOME": "/h", "JACKDAW_JID": "", "JACKDAW_OUTPUT": "", "NO_COLOR": "", "JACKDAW_PASSWORD": ""])
    #expect(settings.chosenAccount == nil && !settings.isJSON && settings.color == .auto && settings.password == nil)
  }

  @Test("choose the account that was named, the default one, or the only one")
  func account() async throws {
    let one = "[accounts.only]\njid = \"me@only\""
    #expect(try await Self.settings([], [:], configuration: one).accountName == "only")
    #expect(try await Self.settings(["--jid", "x@y/z"], [:], configuration: one).chosenAccount?.description == "x@y/z")
    // As the server will bind it.
    let greek = try await Self.settings([], ["JACKDAW_JID": "\u{3BD}\u{3AF}\u{3BA}\u{3BF}\u{3C2}@y"])
    #expect(greek.chosenAccount?.description == "\u{3BD}\u{3AF}\u{3BA}\u{3BF}\u{3C3}@y")
    let german = "[accounts.only]\njid = \"stra\u{DF}e@only\""
    #expect(try await Self.settings([], [:], configuration: german).chosenAccount?.description == "strasse@only")
    #expect(try await Self.settings([], ["JACKDAW_JID": "x@y"], configuration: one).accountName == nil)
    let many = "[accounts.a]\njid = \"me@a\"\n[accounts.b]\njid = \"me@b\""
    let undecided = try await Self.settings([], [:], configuration: many)
    #expect(undecided.chosenAccount == nil)
    #expect { try undecided.account() } throws: { error in
      (error as? CommandFailure)?.code == .configuration && "\(error)".contains("choose one of a, b with --account")
    }
    let none = try await Self.settings()
    #expect { try none.account() } throws: { error in
      (error as? CommandFailure)?.code == .configuration && "\(error)".contains("jackdaw account add you@example.org")
    }
  }

  @Test("name a configuration file that was named and is not there", arguments: [true, false])
  func missingFile(_ isOption: Bool) async throws {
    let path = "/nonexistent/config.toml"
    let words = isOption ? ["--config", path] : []
    let environment = isOption ? [:] : ["JACKDAW_CONFIG": path]
    let settings = try await Self.settings(words, environment)
    #expect { try settings.account() } throws: { error in
      (error as? CommandFailure)?.code == .configuration
        && "\(error)".contains("There is no file \(path), which was named")
    }
    await #expect {
      try await Self.settings(words + ["--account", "work"], environment)
    } throws: { error in
      "\(error)".contains("There is no account 'work' in \(path): there is no such file.")
    }
    let empty = try await Self.settings([], [:], configuration: "")
    #expect { try empty.account() } throws: { "\($0)".contains("There is no account in ") }
  }

  @Test("without a home have no files, and what is given is enough")
  func withoutAHome() async throws {
    let settings = try await Self.settings([], ["HOME": "", "JACKDAW_JID": "me@x", "JACKDAW_PASSWORD": "p"])
    #expect(settings.configurationPath == nil && settings.dataFolder == nil)
    #expect(try settings.account().description == "me@x" && settings.password == .environment("p"))
    #expect(try settings.configurationFile.load() == Configuration())
    #expect { try settings.configurationFile.add(Configuration.Account(try JID("me@x"))) } throws: { error in
      (error as? CommandFailure)?.code == .configuration
        && "\(error)".contains("Set HOME, or name a file with --config")
    }
    let none = try await Self.settings([], ["HOME": ""])
    #expect { try none.account() } throws: { error in
      (error as? CommandFailure)?.code == .configuration && "\(error)".contains("Use --jid or JACKDAW_JID")
    }
  }

  @Test("tell what was given of the connection from what is configured")
  func given() async throws {
    let text = "[accounts.a]\njid = \"me@a\"\nserver = \"s:1\"\nca_file = \"/ca\"\ntls = \"direct\"\n"
    let configured = try await Self.settings([], configuration: text)
    #expect(configured.server != nil && configured.given == Settings.Given())
    let given = try await Self.settings(["--tls", "starttls"], ["JACKDAW_SERVER": "h:5"], configuration: text)
    #expect(given.given == Settings.Given(server: "h:5", tls: .starttls))
  }

  @Test("prefer a password in the environment to a configured one")
  func password() async throws {
    let settings = try await Self.settings([], ["JACKDAW_PASSWORD": "e"], configuration: Self.two)
    #expect(settings.password == .environment("e"))
  }

  @Test("make a plan of the domain, the server and the time")
  func plan() async throws {
    let settings = try await Self.settings(["--server", "[::1]:5000", "--timeout", "0.5"])
    let plan = settings.plan(for: try JID("me@b\u{FC}cher.example"))
    #expect(plan.domain == "xn--bcher-kva.example" && plan.server == HostPort(host: "::1", port: 5000))
    #expect(plan.timeout == .milliseconds(500))
  }

  @Test(
    "that are wrong are named by who gave them",
    arguments: [
      (["--server", "a b"], [:], ExitCode.usage, "--server: 'a b' is not a host or host:port"),
      ([], ["JACKDAW_SERVER": "x:y"], .configuration, "JACKDAW_SERVER: 'x:y' is not a host or host:port"),
      (["--tls", "no"], [:], .usage, "--tls: 'no' is not one of auto, starttls and direct"),
      ([], ["JACKDAW_TLS": "no"], .configuration, "JACKDAW_TLS: 'no' is not one of auto, starttls and direct"),
      (["--timeout", "0"], [:], .usage, "--timeout: '0' is not a number of seconds above 0, up to 86400"),
      (["--timeout", "nan"], [:], .usage, "--timeout: 'nan' is not a number of seconds"),
      (["--timeout", "1e9"], [:], .usage, "--timeout: '1e9' is not a number of seconds"),
      ([], ["JACKDAW_TIMEOUT": "soon"], .configuration, "JACKDAW_TIMEOUT: 'soon' is not a number of seconds"),
      (
        [], ["JACKDAW_THEME": "lihgt"], .configuration,
        "JACKDAW_THEME: 'lihgt' is not one of auto, dark, light, color-blind-dark, color-blind-light, none"
      ),
      ([], ["JACKDAW_SCREEN_READER": "on"], .configuration, "JACKDAW_SCREEN_READER: 'on' is neither true nor false"),
      (["--theme", "pink"], [:], .usage, "--theme: 'pink' is not one of auto, dark, light"),
      (["--color", "blue"], [:], .usage, "--color: 'blue' is not one of auto, always and never."),
      ([], ["JACKDAW_OUTPUT": "xml"], .configuration, "JACKDAW_OUTPUT: 'xml' is neither text nor json"),
      (
        ["--jid", "example.org"], [:], .badInput,
        "--jid: 'example.org' is a server. Did you mean somebody like you@example.org?"
      ),
      (["--jid", "@@"], [:], .badInput, "--jid: "),
      ([], ["JACKDAW_JID": "a@"], .badInput, "JACKDAW_JID: "),
      (["--account", "x"], [:], .configuration, "There is no account 'x' in "),
      (["--account", ","], [:], .configuration, "There is no account ',' in "),
      ([], ["JACKDAW_ACCOUNT": "x"], .configuration, "There is no account 'x' in "),
      (["--account", "x", "--jid", "a@b"], [:], .usage, "Use --account or --jid, not both."),
      (["-q", "-v"], [:], .usage, "Use --quiet or --verbose, not both."),
      (["--account", "x"], ["HOME": ""], .configuration, "There is no account 'x'. HOME is not set"),
    ] as [([String], [String: String], ExitCode, String)])
  func thatAreWrong(
    _ words: [String], _ environment: [String: String], _ code: ExitCode, _ text: String
  ) async throws {
    await #expect {
      try await Self.settings(words, environment)
    } throws: { error in
      guard let failure = error as? CommandFailure else { return false }
      return failure.code == code && failure.text.hasPrefix(text)
    }
  }

  /// A second went by before '--timeout 0.2' was looked at.
  @Test(
    "'--timeout' is known before the words are parsed, and is nothing where it would be refused",
    arguments: [
      (["--timeout", "0.2", "send", "bob@example.org", "hi"], [:], .milliseconds(200)),
      (["send", "--timeout=0.5", "bob@example.org"], ["JACKDAW_TIMEOUT": "3"], .milliseconds(500)),
      (["--timeout", "2", "friends", "--timeout", "4"], [:], .seconds(4)),
      (["friends"], ["JACKDAW_TIMEOUT": "0.25"], .milliseconds(250)),
      (["friends"], [:], nil), (["send", "bob@example.org", "--", "--timeout", "3"], [:], nil),
      (["friends", "--timeout"], [:], nil), (["--timeout", "soon", "friends"], [:], nil),
      (["--timeout", "-1", "friends"], [:], nil), (["--timeout", "0", "friends"], [:], nil),
    ] as [([String], [String: String], Duration?)])
  func likelyTimeout(_ words: [String], _ environment: [String: String], _ timeout: Duration?) {
    #expect(SettingsReader.likelyTimeout(words, EnvironmentVariables(environment)) == timeout)
  }
}
