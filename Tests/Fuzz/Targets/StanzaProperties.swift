// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawXML

@testable import JackdawProtocol
@testable import JackdawSession

/// What a codec has read it writes so that it reads and writes the same again.
enum StanzaProperties {
  /// One element; each that is in it is given to every codec.
  static func check(_ input: inout FuzzInput) throws {
    guard let element = try? Element(parsing: input.text()) else { return }
    try walk(element)
  }

  private static func walk(_ element: Element) throws {
    try checkStanzas(element)
    try checkPayloads(element)
    try checkFeatures(element)
    try checkCards(element)
    for child in element.children { try walk(child) }
  }

  private static func checkStanzas(_ element: Element) throws {
    try stable(element, { try? Message($0) }, \.element)
    try stable(element, { try? Presence($0) }, \.element)
    try stable(element, { try? IQ($0) }, \.element)
    try stable(element, { StanzaError($0) }, \.element)
    let request = Result { () throws(StanzaFormatError) in try IQ(element) }
    switch request {
    case .success(let iq):
      for answer in [iq.result(), iq.failure(.badRequest)] {
        try require(answer.id == iq.id && answer.to == iq.from, "an answer to somebody else: \(answer.element)")
      }
    case .failure(let error):
      if let answer = error.answer { try DecoderProperties.checkRoundTrip(answer.element) }
    }
  }

  private static func checkPayloads(_ element: Element) throws {
    try stable(element, { Delay($0) }, \.element)
    try stable(element, { StanzaID($0) }, \.element)
    try stable(element, { OriginID($0) }, \.element)
    try stable(element, { Nickname($0) }, \.element)
    try stable(element, { try? DataForm($0) }, \.element)
    _ = ResultSetAnswer(in: element)
    _ = Delay.all(in: Array(element.children))
    if let forwarded = try? Forwarded(in: element) { try DecoderProperties.checkRoundTrip(forwarded.message.element) }
    if let text = element.attribute("stamp"), let stamp = Timestamp(text) {
      try require(Timestamp(stamp.description) == stamp, "a moment is read back differently: \(text)")
    }
    if let form = try? RegistrationForm(element) {
      for values in [["username": "a", "password": "b", "email": "c"], [:]] {
        guard let filled = try? form.filled(with: values) else { continue }
        try DecoderProperties.checkRoundTrip(filled)
      }
    }
  }

  private static func checkFeatures(_ element: Element) throws {
    try stable(element, { Software($0) }, \.element)
    try stable(element, { Idleness($0) }, \.element)
    try stable(element, { LocalMoment($0) }, \.element)
    try stable(element, { try? DiscoveryInformation($0) }, { $0.element() })
    try stable(element, { DiscoveryItem($0) }, \.element)
    try stable(element, { Capabilities($0) }, \.element)
    if let information = try? DiscoveryInformation(element), let hash = CapabilityHash(of: information) {
      let again = try? DiscoveryInformation(information.element())
      try require(again.flatMap { CapabilityHash(of: $0) } == hash, "the hash is another after writing: \(element)")
    }
    if let publisher = try? JID("bob@example.org") { _ = PubSubEvent(element, from: publisher) }
    try checkRoster(element)
  }

  private static func checkRoster(_ element: Element) throws {
    let (snapshot, _) = RosterCodec.snapshot(element)
    for item in snapshot.items {
      try require(Set(item.groups).count == item.groups.count && !item.groups.contains(""), "improper groups: \(item)")
      let written = RosterCodec.set(item.jid, name: item.name, groups: item.groups)
      guard case .set(let again)? = RosterCodec.push(written)?.change else {
        throw PropertyFailure(description: "an entry cannot be read back: \(written)")
      }
      try require(
        again.jid == item.jid && again.name == item.name && again.groups == item.groups,
        "an entry is read back differently: \(item)")
    }
    _ = RosterCodec.push(element)
  }

  private static func checkCards(_ element: Element) throws {
    let card = VCardTempCodec.card(element)
    // Beyond the limit what is set last is not read.
    guard card.properties.count < VCardLimits.properties else { return }
    for property in card.properties {
      guard let edit = try? VCardEdit(property.field.rawValue, property.value) else { continue }
      let edited = VCardTempCodec.applying(edit, to: element)
      let changed = VCardTempCodec.card(edited)
      let same = changed.properties.filter { $0.field == property.field }
      try require(
        same.contains { filled($0.parts) == filled(property.parts) },
        "'\(property.value)' was set and is not there: \(edited)")
      try DecoderProperties.checkRoundTrip(edited)
    }
    _ = VCard4Codec.card(element)
  }

  /// Without those at the end that are empty.
  private static func filled(_ parts: [String]) -> [String] {
    Array(parts.prefix((parts.lastIndex { !$0.isEmpty } ?? -1) + 1))
  }

  /// Reads, writes, reads and writes: the second writing is as the first.
  private static func stable<Value>(
    _ element: Element, _ read: (Element) -> Value?, _ write: (Value) -> Element
  ) throws {
    guard let value = read(element) else { return }
    let written = write(value)
    try DecoderProperties.checkRoundTrip(written)
    guard let again = read(written) else {
      throw PropertyFailure(description: "\(Value.self) cannot read what it wrote: \(written)")
    }
    try require(write(again) == written, "\(Value.self) reads differently what it wrote: \(written)")
  }
}
