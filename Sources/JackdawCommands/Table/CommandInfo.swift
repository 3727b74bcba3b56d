// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import ArgumentParser
import JackdawLoop
import JackdawSession

/// What the parser knows of a command, from the JSON in which it describes commands (version 0 of its `ToolInfo`): its words are
/// no text for people, and change with that version only.
struct CommandInfo {
  /// An argument, an option or a flag.
  struct Argument: Equatable {
    enum Kind: String { case positional, option, flag }

    var kind: Kind
    /// As they are typed, those of one letter first: `-q`, `--quiet`.
    var names: [String]
    /// What the parser calls the value: `jid`.
    var valueName: String
    var isOptional: Bool
    var isRepeating: Bool
    /// What the help is headed by, where it is not among the command's own.
    var section: String?
    var abstract: String
    /// The values that there are, where they are few.
    var values: [String]
    var defaultValue: String?
    /// Shells complete it with paths.
    var isFile: Bool
    /// Shells ask the program what completes it.
    var isAsked: Bool

    /// As in a usage: `[TEXT …]`.
    var usage: String {
      let name = names.first { $0.hasPrefix("--") } ?? names.first
      let value = kind == .flag ? [] : [Self.placeholder(valueName)]
      let text = ((name.map { [$0] } ?? []) + value + (isRepeating ? ["…"] : [])).joined(separator: " ")
      return isOptional ? "[\(text)]" : text
    }

    /// What stands for a value where people read: `JID`.
    static func placeholder(_ valueName: String) -> String { valueName.uppercased() }
  }

  var abstract: String
  var discussion: String
  /// Those that are shown to people.
  var arguments: [Argument]

  /// What has been described. That takes the parser its time, and one page of help or one wrong line asks for it several times.
  private static let known = Locked<[ObjectIdentifier: CommandInfo]>([:])

  init(of type: any ParsableCommand.Type) {
    let known = Self.known.withLock { $0[ObjectIdentifier(type)] }
    self = known ?? Self(describing: type)
    guard known == nil else { return }
    let described = self
    Self.known.withLock { $0[ObjectIdentifier(type)] = described }
  }

  private init(describing type: any ParsableCommand.Type) {
    var reader = JSONReader(Array(type._dumpHelp().utf8))
    guard case .object(let tool)? = try? reader.value(), let command = tool["command"] else {
      preconditionFailure("the parser does not describe \(type)")
    }
    self.init(command)
  }

  private init(_ value: JSONValue) {
    abstract = value["abstract"].text ?? ""
    discussion = value["discussion"].text ?? ""
    arguments = value["arguments"].elements.filter { $0["shouldDisplay"] != .bool(false) }.compactMap(Argument.init)
  }
}

extension CommandInfo.Argument {
  fileprivate init?(_ value: JSONValue) {
    guard let kind = value["kind"].text.flatMap(Kind.init) else { return nil }
    self.kind = kind
    let all = value["names"].elements.map { name in
      (
        isShort: name["kind"].text == "short",
        name: (name["kind"].text == "long" ? "--" : "-") + (name["name"].text ?? "")
      )
    }
    names = (all.filter(\.isShort) + all.filter { !$0.isShort }).map(\.name)
    valueName = value["valueName"].text ?? ""
    isOptional = value["isOptional"] == .bool(true)
    isRepeating = value["isRepeating"] == .bool(true)
    section = value["sectionTitle"].text
    abstract = value["abstract"].text ?? ""
    values = value["allValues"].elements.compactMap(\.text)
    defaultValue = value["defaultValue"].text
    isFile = value["completionKind"]["file"] != .null
    isAsked = value["completionKind"]["custom"] != .null
  }
}
