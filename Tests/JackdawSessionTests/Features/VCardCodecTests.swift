// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

@testable import JackdawSession

/// XEP-0054 and XEP-0292, read.
@Suite struct VCardReadingTests {
  private typealias Property = VCard.Property

  @Test("A vcard-temp is read") func anOldCardIsRead() throws {
    let card = VCardTempCodec.card(
      try Element(
        parsing: """
          <vCard xmlns='vcard-temp'><DESC>
            Mathematics,
            machines.
          </DESC><FN>Ada Lovelace</FN><N><FAMILY>Lovelace</FAMILY><GIVEN>Ada</GIVEN><MIDDLE/></N>\
          <NICKNAME>ada</NICKNAME><URL>https://ada.example</URL><BDAY>1815-12-10</BDAY>\
          <ORG><ORGNAME>Engines; Ltd</ORGNAME><ORGUNIT>Notes</ORGUNIT><ORGUNIT>G</ORGUNIT></ORG>\
          <TITLE>Countess</TITLE><ROLE>Author</ROLE><TEL><WORK/><VOICE/><NUMBER>303</NUMBER></TEL>\
          <TEL><HOME/><FAX/><NUMBER/></TEL><ADR><WORK/><STREET>1 Wynkoop</STREET><LOCALITY>Denver</LOCALITY>\
          <PCODE>80202</PCODE><CTRY>USA</CTRY></ADR><EMAIL><INTERNET/><PREF/><USERID>a@x.org</USERID></EMAIL>\
          <EMAIL>b@x.org</EMAIL><JABBERID>ada@x.org</JABBERID><MAILER>x</MAILER><FN xmlns='urn:evil'>Eve</FN></vCard>
          """))
    #expect(
      card.properties == [
        Property(.fn, ["Ada Lovelace"]), Property(.n, ["Lovelace", "Ada", "", "", ""]), Property(.nickname, ["ada"]),
        Property(.email, ["a@x.org"]), Property(.email, ["b@x.org"]), Property(.tel, uses: ["work", "voice"], ["303"]),
        Property(.adr, uses: ["work"], ["", "", "1 Wynkoop", "Denver", "", "80202", "USA"]),
        Property(.org, ["Engines; Ltd", "Notes", "G"]), Property(.title, ["Countess"]), Property(.role, ["Author"]),
        Property(.bday, ["1815-12-10"]), Property(.url, ["https://ada.example"]), Property(.jid, ["ada@x.org"]),
        Property(.desc, ["Mathematics,\n  machines."]),
      ])
    #expect(card.photo == nil)
  }

  @Test("A vCard4 is read") func aNewCardIsRead() throws {
    let card = VCard4Codec.card(
      try Element(
        parsing: """
          <vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'><fn><text>Ada Lovelace</text></fn>\
          <n><surname>Lovelace</surname><given>Ada</given><additional/></n>\
          <nickname><text>ada</text></nickname><nickname><text>countess</text></nickname>\
          <photo><uri>https://ada.example/a.jpg</uri></photo><bday><date>1815-12-10</date></bday>\
          <adr><parameters><type><text>HOME</text></type></parameters><street>1 Wynkoop</street>\
          <locality>Denver</locality><code>80202</code></adr>\
          <tel><parameters><type><text>work</text><text>voice</text></type></parameters><uri>tel:+1-303</uri></tel>\
          <tel><text>304</text></tel><title><text>Countess</text></title><role><text>Author</text></role>\
          <org><text>Engines</text><text>Notes</text></org><url><uri>https://ada.example</uri></url>\
          <note><text> Machines. </text></note><email><text>a@x.org</text></email>\
          <impp><uri>xmpp:ada@x.org</uri></impp><impp><uri>sip:ada@x.org</uri></impp>\
          <gender><sex><text>F</text></sex></gender></vcard>
          """))
    #expect(
      card.properties == [
        Property(.fn, ["Ada Lovelace"]), Property(.n, ["Lovelace", "Ada", "", "", ""]), Property(.nickname, ["ada"]),
        Property(.nickname, ["countess"]), Property(.email, ["a@x.org"]),
        Property(.tel, uses: ["work", "voice"], ["+1-303"]), Property(.tel, ["304"]),
        Property(.adr, uses: ["home"], ["", "", "1 Wynkoop", "Denver", "", "80202", ""]),
        Property(.org, ["Engines", "Notes"]), Property(.title, ["Countess"]), Property(.role, ["Author"]),
        Property(.bday, ["1815-12-10"]), Property(.url, ["https://ada.example"]), Property(.jid, ["ada@x.org"]),
        Property(.desc, ["Machines."]),
      ])
    #expect(card.photo == VCard.Photo(uri: "https://ada.example/a.jpg"))
  }

  @Test(
    "A property is shown to people and to programs",
    arguments: [
      (
        VCard.Property(.n, ["Lovelace", "Ada", "King", "Lady", "FRS"]), "Lady Ada King Lovelace FRS",
        "Lovelace;Ada;King;Lady;FRS"
      ),
      (VCard.Property(.n, ["Lovelace", "Ada", "", "", ""]), "Ada Lovelace", "Lovelace;Ada"),
      (VCard.Property(.org, ["Engines; Ltd", #"a\b"#]), #"Engines; Ltd, a\b"#, #"Engines\; Ltd;a\\b"#),
      (VCard.Property(.adr, ["", "", "Main St", "", "", "1", ""]), "Main St, 1", ";;Main St;;;1"),
      (VCard.Property(.desc, ["a;b"]), "a;b", "a;b"),
      // A mark that begins a part is one character with the sign before it.
      (VCard.Property(.org, ["a", "\u{301}b"]), "a, \u{301}b", "a;\u{301}b"),
      (VCard.Property(.org, [";\u{301}a", "b"]), ";\u{301}a, b", "\\;\u{301}a;b"),
    ])
  func aPropertyIsSaidToPeopleAndToPrograms(_ property: VCard.Property, _ text: String, _ value: String) throws {
    #expect(property.text == text)
    #expect(property.value == value)
    // What programs are told is what they may say.
    #expect(VCard.Property(property.field, try VCardEdit(property.field.rawValue, value).parts).text == text)
  }

  // MARK: Pictures

  /// What sha1sum says of `hello`.
  private static let hash = "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"

  @Test(
    "Of a picture the type, size and hash are kept",
    arguments: [
      ("<TYPE>image/png</TYPE><BINVAL>aGVsbG8=</BINVAL>", VCard.Photo(type: "image/png", size: 5, sha1: hash)),
      ("<BINVAL>\n  aGVs\r\n\tbG8=\n</BINVAL>", VCard.Photo(size: 5, sha1: hash)),
      ("<EXTVAL>https://x.org/a.png</EXTVAL>", VCard.Photo(uri: "https://x.org/a.png")),
      ("<BINVAL>!!</BINVAL>", nil), ("<BINVAL/>", nil), ("", nil),
    ])
  func ofAPictureTypeSizeAndHashAreKept(_ content: String, _ photo: VCard.Photo?) throws {
    let card = try Element(parsing: "<vCard xmlns='vcard-temp'><PHOTO>\(content)</PHOTO></vCard>")
    #expect(VCardTempCodec.card(card).photo == photo)
  }

  @Test(
    "A picture within a vCard4 is not taken for an address",
    arguments: [
      ("data:image/png;base64,aGVsbG8=", VCard.Photo(type: "image/png", size: 5, sha1: hash)),
      ("data:image/png,hello", nil), ("data:image/png;base64,!", nil), ("data:", nil),
    ])
  func aPictureInANewCardIsNotTakenForAnAddress(_ uri: String, _ photo: VCard.Photo?) throws {
    let card = try Element(
      parsing: "<vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'><photo><uri>\(uri)</uri></photo></vcard>")
    #expect(VCard4Codec.card(card).photo == photo)
  }

  // MARK: Strangers

  @Test("A vCard is read within limits") func aCardIsTakenInWithinLimits() throws {
    let many = String(repeating: "<TEL><NUMBER>1</NUMBER></TEL>", count: 5_000)
    #expect(try read(many).properties.count == VCardLimits.properties)
    let long = String(repeating: "é", count: VCardLimits.textBytes)
    let text = try #require(try read("<DESC>\(long)</DESC>").properties.first?.parts.first)
    #expect(text.utf8.count == VCardLimits.textBytes)
    #expect(text.allSatisfy { $0 == "é" })
    let units = String(repeating: "<ORGUNIT>u</ORGUNIT>", count: 1_000)
    #expect(try read("<ORG><ORGNAME>o</ORGNAME>\(units)</ORG>").properties.first?.parts.count == VCardLimits.parts)
    let type = String(repeating: "x", count: 10_000)
    let photo = try read("<PHOTO><TYPE>\(type)</TYPE><BINVAL>aGVsbG8=</BINVAL></PHOTO>").photo
    #expect(photo?.type?.utf8.count == VCardLimits.typeBytes)
  }

  private func read(_ content: String) throws -> VCard {
    VCardTempCodec.card(try Element(parsing: "<vCard xmlns='vcard-temp'>\(content)</vCard>"))
  }

  @Test(
    "A vCard without any property is empty",
    arguments: ["", "<FN/>", "<N><FAMILY> </FAMILY></N>", "<TEL><NUMBER/></TEL>", "<ORG/>", "<PHOTO/>", "<x/>"])
  func whatSaysNothingIsNoCard(_ content: String) throws {
    #expect(try read(content).isEmpty)
  }
}

/// XEP-0054, changed.
@Suite struct VCardEditTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var field: String
    var value: String
    var before: String
    var after: String
    var testDescription: String { "\(field)='\(value)' in \(before)" }

    init(_ field: String, _ value: String, _ before: String, _ after: String) {
      self.field = field
      self.value = value
      self.before = before
      self.after = after
    }
  }

  static let cases = [
    Case("fn", "Ada", "", "<FN>Ada</FN>"),
    Case("FN", "Ada", "<FN>A</FN><X>1</X><FN>B</FN>", "<FN>Ada</FN><X>1</X><FN>B</FN>"),
    Case("fn", "", "<FN>A</FN><TITLE>T</TITLE>", "<TITLE>T</TITLE>"),
    Case("fn", "", "<TITLE>T</TITLE>", "<TITLE>T</TITLE>"),
    Case(
      "n", #"Lovelace;Ada\;Augusta"#, "<N><FAMILY>X</FAMILY><SUFFIX>Y</SUFFIX><Z/></N>",
      "<N><Z/><FAMILY>Lovelace</FAMILY><GIVEN>Ada;Augusta</GIVEN></N>"),
    Case("email", "a@x.org", "", "<EMAIL><INTERNET/><USERID>a@x.org</USERID></EMAIL>"),
    Case(
      "email", "a@x.org", "<EMAIL><HOME/><PREF/><USERID>b@x.org</USERID></EMAIL>",
      "<EMAIL><HOME/><PREF/><USERID>a@x.org</USERID></EMAIL>"),
    Case(
      "email.work", "a@x.org", "<EMAIL><HOME/><USERID>b@x.org</USERID></EMAIL>",
      "<EMAIL><HOME/><USERID>b@x.org</USERID></EMAIL><EMAIL><WORK/><INTERNET/><USERID>a@x.org</USERID></EMAIL>"),
    Case(
      "email.home", "", "<EMAIL><WORK/><USERID>a</USERID></EMAIL><EMAIL><HOME/><USERID>b</USERID></EMAIL>",
      "<EMAIL><WORK/><USERID>a</USERID></EMAIL>"),
    Case("tel.cell", "+49 1", "", "<TEL><CELL/><NUMBER>+49 1</NUMBER></TEL>"),
    Case(
      "adr.home", ";;Main St 1;Town;;12345;DE", "",
      "<ADR><HOME/><POBOX/><EXTADD/><STREET>Main St 1</STREET><LOCALITY>Town</LOCALITY><REGION/><PCODE>12345</PCODE>"
        + "<CTRY>DE</CTRY></ADR>"),
    Case(
      "org", "Engines;Notes;G", "<ORG><ORGNAME>X</ORGNAME><ORGUNIT>Y</ORGUNIT></ORG>",
      "<ORG><ORGNAME>Engines</ORGNAME><ORGUNIT>Notes</ORGUNIT><ORGUNIT>G</ORGUNIT></ORG>"),
    Case("bday", "1815-12-10", "", "<BDAY>1815-12-10</BDAY>"),
    Case("desc", "a;b <c>", "", "<DESC>a;b &lt;c&gt;</DESC>"),
    Case(
      "title", "T", "<PHOTO><TYPE>image/png</TYPE><BINVAL>aGVsbG8=</BINVAL></PHOTO><KEY><CRED>k</CRED></KEY>",
      "<PHOTO><TYPE>image/png</TYPE><BINVAL>aGVsbG8=</BINVAL></PHOTO><KEY><CRED>k</CRED></KEY><TITLE>T</TITLE>"),
  ]

  @Test("A change of one field keeps all others", arguments: cases)
  func oneFieldChangesAndTheRestStays(_ example: Case) throws {
    let before = try Element(parsing: "<vCard xmlns='vcard-temp' version='3.0'>\(example.before)</vCard>")
    let after = try Element(parsing: "<vCard xmlns='vcard-temp' version='3.0'>\(example.after)</vCard>")
    #expect(VCardTempCodec.applying(try VCardEdit(example.field, example.value), to: before) == after)
  }

  @Test(
    "A change that makes no sense is refused",
    arguments: [
      ("frob", "x", "There is no field 'frob': there are fn, n,"), ("", "x", "There is no field ''"),
      ("email.frob", "x", "There is no 'email.frob': there are email.home, email.work"),
      ("fn.home", "x", "There is no 'fn.home': there is only fn"), ("bday", "10.12.1815", "'10.12.1815' is not a date"),
      ("bday", "2001-02-30", "'2001-02-30' is not a date"), ("bday", "2001-02-03T", "is not a date"),
      ("email", "nobody", "'nobody' is not an email address"), ("email", "a b@x", "is not an email address"),
      ("n", "1;2;3;4;5;6", "'n' has at most 5 parts, and these are 6"), ("fn", "a\u{7}b", "cannot be sent"),
      ("desc", String(repeating: "x", count: 20_000), "is longer than 16384 bytes"),
    ])
  func whatMakesNoSenseIsRefused(_ field: String, _ value: String, _ words: String) {
    let error = #expect(throws: FeatureError.self) { try VCardEdit(field, value) }
    #expect(error?.code == .badInput)
    #expect(error?.description.contains(words) == true)
  }
}
