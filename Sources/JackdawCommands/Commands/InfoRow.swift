// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import JackdawProtocol
import JackdawSession

/// What is known of one address: a line for each thing in text, one object in JSON.
struct InfoRow: CommandRow {
  let findings: Inquiry.Findings
  /// All of it is shown, even where that is more than a screen.
  var isWhole = true

  var cells: [Cell] { lines.first ?? [] }

  var lines: [[Cell]] {
    let jid = findings.jid
    var lines: [[Cell]] = []
    func add(_ heading: String, _ text: String, _ role: Cell.Role = .plain) {
      lines.append([Cell(jid.description, .jid), Cell(heading, .heading), Cell(text, role)])
    }
    if let nickname = findings.nickname { add("nickname", nickname, .name) }
    for identity in findings.information?.identities ?? [] {
      add("identity", "\(identity.category)/\(identity.type)" + (identity.name.map { " " + $0 } ?? ""))
    }
    if let software = findings.software { add("version", Self.text(software)) }
    if let time = findings.time { add("time", Self.text(time), .time) }
    if let idleness = findings.idleness {
      let status = idleness.status.map { ": " + $0 } ?? ""
      let (heading, end) = Self.heading(of: jid)
      add(heading, ElapsedTime(seconds: idleness.seconds).description + end + status)
    }
    for line in findings.card.map({ VCardSummary($0).lines }) ?? [] { add("vcard", line) }
    for form in findings.information?.forms ?? [] {
      for field in form.fields where field.name != "FORM_TYPE" && !field.values.isEmpty {
        add("form", (field.label ?? field.name ?? "") + ": " + field.values.joined(separator: ", "))
      }
    }
    let features = (findings.information?.features ?? []).sorted()
    if !isWhole, lines.count + features.count > CommandLimits.infoLines {
      let hidden = lines.count - min(lines.count, CommandLimits.infoLines - 2)
      lines.removeLast(hidden)
      if hidden > 0 { add("more", "\(hidden) more line\(hidden == 1 ? "" : "s"), shown by --all", .faint) }
      if !features.isEmpty { add("features", "\(features.count), listed by --all", .faint) }
      return lines
    }
    for feature in features { add("feature", feature, .faint) }
    return lines
  }

  static func text(_ software: Software) -> String {
    [software.name, software.version, software.system.map { "(\($0))" } ?? ""].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// `2026-11-21 15:04:05 +01:00`
  private static func text(_ time: LocalMoment) -> String {
    let there = Timestamp(milliseconds: time.time.milliseconds + Int64(time.offset) * 1_000)
    return there.description.prefix(19).map { $0 == "T" ? " " : String($0) }.joined() + " " + time.zone
  }

  /// What XEP-0012 means depends on who answers.
  private static func heading(of jid: JID) -> (heading: String, end: String) {
    if jid.localpart == nil { return ("running", "") }
    return jid.isBare ? ("last seen", " ago") : ("idle", "")
  }

  // MARK: JSON

  private enum CodingKeys: String, CodingKey {
    case jid, nickname, identities, version, idle, forms, features, vcard
    case localTime = "local_time"
  }

  private struct Identity: Encodable {
    var category, type: String
    var name, language: String?
  }

  private struct Program: Encodable {
    var name, version: String
    var system: String?
  }

  private struct Moment: Encodable { var utc, zone: String }

  private struct Idle: Encodable {
    var seconds: Int64
    var status: String?
  }

  private struct Form: Encodable {
    struct Field: Encodable {
      var name: String?
      var values: [String]
    }
    var type: String?
    var fields: [Field]
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let information = findings.information
    try container.encode(findings.jid.description, forKey: .jid)
    try container.encode(findings.nickname, forKey: .nickname)
    try container.encode(
      information?.identities.map {
        Identity(category: $0.category, type: $0.type, name: $0.name, language: $0.language)
      }, forKey: .identities)
    try container.encode(
      findings.software.map { Program(name: $0.name, version: $0.version, system: $0.system) }, forKey: .version)
    try container.encode(findings.time.map { Moment(utc: $0.time.description, zone: $0.zone) }, forKey: .localTime)
    try container.encode(
      findings.idleness.map { Idle(seconds: $0.seconds, status: $0.status) }, forKey: .idle)
    try container.encode(
      information?.forms.map { form in
        Form(
          type: form.formType,
          fields: form.fields.filter { $0.name != "FORM_TYPE" }.map { Form.Field(name: $0.name, values: $0.values) })
      }, forKey: .forms)
    try container.encode(information?.features.sorted(), forKey: .features)
    try container.encode(findings.card.map { VCardSummary($0) }, forKey: .vcard)
  }
}

/// A length of time for people, in its two greatest units.
struct ElapsedTime: CustomStringConvertible {
  /// From 0 on.
  var seconds: Int64

  /// `3 d 4 h`, `12 min 5 s`, `0 s`
  var description: String {
    let units: [(size: Int64, name: String)] = [(86_400, "d"), (3_600, "h"), (60, "min"), (1, "s")]
    guard let first = units.firstIndex(where: { seconds >= $0.size }) else { return "0 s" }
    let rest = seconds % units[first].size
    let whole = "\(seconds / units[first].size) \(units[first].name)"
    guard first + 1 < units.count, rest >= units[first + 1].size else { return whole }
    return whole + " \(rest / units[first + 1].size) \(units[first + 1].name)"
  }
}
