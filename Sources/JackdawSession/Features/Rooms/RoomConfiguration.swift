// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

package import JackdawProtocol

/// The configuration of a room, as a form that its owners fill in (XEP-0045 10.2). All of its words are the room's.
package struct RoomConfiguration: Sendable, Equatable {
  /// As the room sent it.
  package let form: DataForm

  package init(_ form: DataForm) { self.form = form }

  /// What can be configured, in the room's order.
  package var settings: [DataForm.Field] {
    form.fields.filter { $0.name?.isEmpty == false && $0.kind != .fixed && $0.kind != .hidden }
  }

  /// What people call a setting: `membersonly` for `muc#roomconfig_membersonly`; the whole name where that would stand for several.
  package func name(of setting: DataForm.Field) -> String {
    let whole = setting.name ?? ""
    let short = Self.short(whole)
    let others = form.fields.count { $0.name != nil && Self.short($0.name ?? "") == short }
    return others == 1 ? short : whole
  }

  /// The setting of this name, whole or short, in any case.
  package func setting(_ name: String) -> DataForm.Field? {
    let wanted = name.lowercased()
    return settings.first { $0.name == name }
      ?? settings.first { self.name(of: $0).lowercased() == wanted }
      ?? settings.first { $0.name?.lowercased() == wanted }
  }

  /// The room's password is asked for where it is to be told; it is never shown.
  package static func isSecret(_ setting: DataForm.Field) -> Bool { setting.kind == .textPrivate }

  /// What is to let people in as `changes` have it (XEP-0045 10.2), by the settings' names, whole or short; nil: they say nothing of it.
  package func password(in changes: [(name: String, value: String)]) -> String? {
    changes.last { setting($0.name)?.name == Self.password }?.value
  }

  /// The form to send, with `changes` by the settings' names, whole or short; all else is as it was, but for whether a password that is
  /// changed is asked for.
  /// - Throws: ``FeatureError`` with `.badInput` for a name that there is not, and for a value that the setting does not have.
  package func filled(with changes: [(name: String, value: String)]) throws(FeatureError) -> DataForm {
    var values: [String: [String]] = [:]
    for change in changes {
      guard let setting = setting(change.name), let name = setting.name else {
        throw FeatureError(
          .badInput,
          "The room has no setting '\(change.name)'. It has: \(settings.map(self.name).joined(separator: ", "))")
      }
      values[name] = try Self.values(change.value, for: setting, called: self.name(of: setting))
    }
    // Some rooms (ejabberd's) have a setting of its own for whether the password is asked for: one that is given is meant to be, and to take it away
    // is to ask for none.
    if let password = values[Self.password]?.first, values[Self.isProtected] == nil,
      settings.contains(where: { $0.name == Self.isProtected && $0.kind == .boolean })
    {
      values[Self.isProtected] = [password.isEmpty ? "0" : "1"]
    }
    let answers = form.fields.compactMap { field -> DataForm.Field? in
      guard let name = field.name, !name.isEmpty, field.kind != .fixed else { return nil }
      let answer = values[name] ?? field.values
      // What has no value and is to stay so is not mentioned: rooms refuse an empty value where they want a number.
      guard !answer.isEmpty || values[name] != nil else { return nil }
      return DataForm.Field(name, field.kind == .hidden ? .hidden : nil, values: answer)
    }
    return DataForm(kind: .submit, fields: answers)
  }

  /// The settings that the room has left as they were, though it said nothing against `changes`, by their names, whole or short. Passwords
  /// are left out, which a room need not show.
  /// - Parameter now: its configuration after them.
  /// - Throws: as ``filled(with:)``.
  package func ignored(
    _ changes: [(name: String, value: String)], now: RoomConfiguration
  ) throws(FeatureError) -> [DataForm.Field] {
    let wanted = Dictionary(try filled(with: changes).fields.map { ($0.name, $0.values) }) { first, _ in first }
    return now.settings.filter { setting in
      guard let name = setting.name, let values = wanted[name], let before = self.setting(name), before.name == name,
        !Self.isSecret(setting), name != Self.password
      else { return false }
      let (old, new) = (Self.plain(before.values, before.kind), Self.plain(setting.values, setting.kind))
      return old == new && Self.plain(values, setting.kind) != old
    }
  }

  /// Values as they can be compared: yes and no, numbers and nothing can be written in several ways.
  private static func plain(_ values: [String], _ kind: DataForm.Field.Kind?) -> [String] {
    if kind == .boolean { return [["1", "true"].contains(values.first) ? "1" : "0"] }
    return values.filter { !$0.isEmpty }.map { Int($0).map(String.init) ?? $0 }
  }

  private static let password = "muc#roomconfig_roomsecret"
  private static let isProtected = "muc#roomconfig_passwordprotectedroom"

  /// `muc#roomconfig_lang` is `lang`, as is `{http://prosody.im/protocol/muc}roomconfig_lang`.
  private static func short(_ name: String) -> String {
    let local = name.hasPrefix("{") ? name.split(separator: "}", maxSplits: 1).last.map(String.init) ?? name : name
    for prefix in ["muc#roomconfig_", "roomconfig_"] where local.hasPrefix(prefix) && local.count > prefix.count {
      return String(local.dropFirst(prefix.count))
    }
    return local
  }

  /// A text as the values of a setting.
  private static func values(
    _ text: String, for setting: DataForm.Field, called name: String
  ) throws(FeatureError) -> [String] {
    switch setting.kind {
    case .boolean:
      switch text.lowercased() {
      case "yes", "true", "on", "1": return ["1"]
      case "no", "false", "off", "0": return ["0"]
      default: throw FeatureError(.badInput, "'\(name)' is yes or no, not '\(text)'.")
      }
    case .listSingle: return [try choice(text, of: setting, called: name)]
    case .listMulti:
      var values: [String] = []
      for part in parts(text) { values.append(try choice(part, of: setting, called: name)) }
      return values
    case .jidMulti:
      var values: [String] = []
      for part in parts(text) { values.append(try address(part, called: name)) }
      return values
    case .jidSingle: return text.isEmpty ? [""] : [try address(text, called: name)]
    case .textMulti: return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    case .textSingle, .textPrivate, .fixed, .hidden, nil: return [text]
    }
  }

  /// The words between commas.
  private static func parts(_ text: String) -> [String] {
    text.split(separator: ",").map { part in
      let end = part.reversed().drop(while: \.isWhitespace)
      return String(end.reversed().drop(while: \.isWhitespace))
    }.filter { !$0.isEmpty }
  }

  /// One of the values to choose from, by itself or by what the room calls it.
  private static func choice(
    _ text: String, of setting: DataForm.Field, called name: String
  ) throws(FeatureError) -> String {
    guard !setting.options.isEmpty else { return text }
    let wanted = text.lowercased()
    let found =
      setting.options.first { $0.value == text } ?? setting.options.first { $0.value.lowercased() == wanted }
      ?? setting.options.first { $0.label?.lowercased() == wanted }
    guard let found else {
      throw FeatureError(
        .badInput, "'\(name)' is one of \(setting.options.map(\.value).joined(separator: ", ")), not '\(text)'.")
    }
    return found.value
  }

  private static func address(_ text: String, called name: String) throws(FeatureError) -> String {
    do {
      return try JID(text).folded.description
    } catch {
      throw FeatureError(.badInput, "'\(name)' is made of addresses: \(error)")
    }
  }
}
