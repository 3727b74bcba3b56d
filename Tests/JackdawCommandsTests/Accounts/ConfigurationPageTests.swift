// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawTransport
import Support
import Testing

@testable import JackdawCommands

/// Docs/CONFIGURATION.md says what the parser takes, and no more.
@Suite("Docs/CONFIGURATION.md")
struct ConfigurationPageTests {
  private static let page = "Docs/CONFIGURATION.md"
  private static let parser = "Sources/JackdawCommands/Accounts/ConfigurationParser.swift"

  private static func text() throws -> String { try #require(SourceTree.text(page)) }

  /// The keys that the parser names when it meets one that it does not know.
  private static func known(_ file: String) -> [String] {
    do throws(CommandFailure) {
      _ = try ConfigurationParser.parse(file, path: "/config.toml")
      return []
    } catch {
      guard let list = error.text.firstMatch(of: /expected one of ([a-z_, ]+)/) else { return [] }
      return list.output.1.split(separator: ", ").map(String.init)
    }
  }

  private static var keys: (top: [String], colors: [String], account: [String]) {
    (
      known("zzzzzzzzzzz = 1"), known("[colors]\nzzzzzzzzzzz = 1"),
      known("[accounts.x]\njid = \"a@b\"\nzzzzzzzzzzz = 1")
    )
  }

  /// All that stand on a line of their own.
  private static var written: [String] {
    keys.top.filter { !["accounts", "colors"].contains($0) } + keys.colors + keys.account
  }

  @Test("has a row for every key, and for no other")
  func everyKey() throws {
    let keys = Self.keys
    #expect(keys.top.count == 27 && keys.colors.count == 17 && keys.account.count >= 7)
    let rows = try Self.text().matches(of: /\n\| `([a-z_]+)` \|/).map { String($0.output.1) }
    #expect(rows.sorted() == Self.written.sorted())
    // Whatever the parser's switches take is among those that it names.
    let source = try #require(SourceTree.text(Self.parser))
    let taken = source.matches(of: /case "([a-z_]+)":/).map { String($0.output.1) }
    #expect(Set(taken) == Set(keys.top + keys.account))
  }

  @Test("has an example of every key, which the parser takes")
  func theExample() throws {
    let blocks = try Self.text().matches(of: /```toml\n([\s\S]*?)```/).map { String($0.output.1) }
    let example = try #require(blocks.first)
    #expect(blocks.count == 1)
    let configuration = try ConfigurationParser.parse(example, path: "/etc/jackdaw/config.toml", home: "/home/alice")
    #expect(configuration.defaultAccount == "home" && !configuration.showsPresence)
    #expect(configuration.accounts.map(\.name) == ["bot", "example.net", "home", "work"])
    #expect(configuration["home"]?.password == .command(["pass", "show", "xmpp/example.org"]))
    let work = try #require(configuration["work"])
    #expect(work.password == .file("/home/alice/.config/jackdaw/work.password"))
    #expect(work.server == "xmpp.example.com:5223" && work.tls == .direct)
    #expect(work.caFile == "/etc/ssl/example-com.pem")
    #expect(configuration["example.net"]?.password == .inline("correct horse battery staple"))
    #expect(configuration.looks.theme == .dark && configuration.looks.names.count == 6)
    for key in Self.written {
      #expect(example.contains(try Regex("(?m)^\(key) = ")), "no example of \(key)")
    }
  }

  @Test("tells the defaults that hold")
  func defaults() throws {
    let text = try Self.text()
    let configuration = try ConfigurationParser.parse("[accounts.x]\njid = \"a@b\"", path: "/config.toml")
    #expect(configuration.showsPresence)
    #expect(text.contains(/\n\| `show_presence` \|[^\n]*\| `true` \|\n/))
    let settings = try SettingsReader(
      options: try #require(CommandTable.standard.parse(shell: []).shared), environment: ["HOME": "/nonexistent"]
    ).settings()
    #expect(settings.tls.rawValue == "auto" && text.contains(/\n\| `tls` \|[^\n]*\| `"auto"`/))
    #expect(settings.timeout == .seconds(30) && text.contains("30"))
    #expect(settings.configurationPath == "/nonexistent/.config/jackdaw/config.toml")
    #expect(text.contains("`~/.config/jackdaw/config.toml`"))
    #expect(settings.dataFolder == "/nonexistent/.local/share/jackdaw" && text.contains("`~/.local/share/jackdaw`"))
  }

  @Test("lists every option of the program's start, and every variable of the environment")
  func optionsAndVariables() throws {
    let text = try Self.text()
    let options = CommandTable.standard.startOptions.map(\.name)
      .filter { !["--help", "--version"].contains($0) }
    #expect(options.count >= 14)
    for option in options { #expect(text.contains(try Regex("`\(option)[ `]")), "\(option)") }
    let sources = SourceTree.files("Sources/JackdawCommands/*/*.swift") + SourceTree.files("Sources/jackdaw/*.swift")
    let variables = Set(
      sources.flatMap { file in
        (SourceTree.text(file) ?? "").matches(of: /JACKDAW_[A-Z_]+[A-Z]/).map { String($0.output) }
      })
    #expect(variables.count >= 10)
    for variable in variables.union(["NO_COLOR", "XDG_CONFIG_HOME", "XDG_DATA_HOME"]) {
      #expect(text.contains(variable), "\(variable)")
    }
  }
}
