// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawProtocol
import JackdawXML
import Testing

@Suite struct DataFormTests {
  @Test(
    "A form is the same when it is read and written again",
    arguments: [
      "<x xmlns='jabber:x:data' type='cancel'/>",
      """
      <x xmlns='jabber:x:data' type='form'><title>Bot</title><instructions>Fill in</instructions>\
      <instructions>all of it</instructions><field var='FORM_TYPE' type='hidden'><value>jabber:bot</value></field>\
      <field type='fixed'><value>Section 1</value></field>\
      <field var='botname' type='text-single' label='Name'><desc>Of the bot</desc><required/></field>\
      <field var='features' type='list-multi'><value>news</value><value>search</value>\
      <option label='News'><value>news</value></option><option><value>search</value></option></field>\
      <field var='public' type='boolean'><value>1</value></field></x>
      """,
      """
      <x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE' type='hidden'><value>t</value></field>\
      <field var='lines'><value>a</value><value/><value>b</value></field><field var='none'/></x>
      """,
      """
      <x xmlns='jabber:x:data' type='result'><reported><field var='name' type='text-single' label='Name'/></reported>\
      <item><field var='name'><value>a</value></field></item><item><field var='name'><value>b</value></field></item></x>
      """,
    ])
  func formGoesBothWays(_ xml: String) throws {
    let element = try Element(parsing: xml)
    #expect(try DataForm(element).element == element)
    #expect(try DataForm(DataForm(element).element) == DataForm(element))
  }

  @Test("Fields are found by their name") func fieldsAreFoundByName() throws {
    let form = try DataForm(
      Element(
        parsing: """
          <x xmlns='jabber:x:data' type='form'><field var='FORM_TYPE' type='hidden'><value>t</value></field>\
          <field var='a' type='frob'><value>1</value><value>2</value></field><field var='b'><value>true</value></field>\
          <field var='c'><value>yes</value></field><field var='d'><value>0</value></field>\
          <field var='a'><value>3</value></field><other xmlns='urn:x'/></x>
          """))
    #expect(form.formType == "t" && form["a"]?.values == ["1", "2"] && form["a"]?.kind == .textSingle)
    #expect(form.value(of: "a") == "1" && form.value(of: "z") == nil)
    #expect(
      [form.flag("a"), form.flag("b"), form.flag("c"), form.flag("d"), form.flag("z")] == [true, true, nil, false, nil])
  }

  /// XEP-0068 3: only a hidden field names the type, except in what is sent in.
  @Test(
    "The form type counts only in a hidden field, where the form has types",
    arguments: [
      ("form", " type='hidden'", true), ("form", "", false), ("form", " type='text-single'", false),
      ("result", "", false),
      ("result", " type='hidden'", true), ("submit", "", true), ("submit", " type='hidden'", true),
      ("submit", " type='text-single'", false),
    ])
  func formTypeIsHidden(_ kind: String, _ attribute: String, _ counts: Bool) throws {
    let form = try DataForm(
      Element(
        parsing: """
          <x xmlns='jabber:x:data' type='\(kind)'><field var='FORM_TYPE'\(attribute)><value>t</value></field></x>
          """))
    #expect(form.formType == (counts ? "t" : nil))
  }

  @Test("A submission is written with its type, its fields and no labels") func submissionIsWritten() throws {
    let form = DataForm(submitting: "urn:t", ["a": ["1"], "b": ["x", "y"]])
    #expect(
      try form.element
        == Element(
          parsing: """
            <x xmlns='jabber:x:data' type='submit'><field var='FORM_TYPE' type='hidden'><value>urn:t</value></field>\
            <field var='a'><value>1</value></field><field var='b'><value>x</value><value>y</value></field></x>
            """))
    #expect(form.formType == "urn:t")
  }

  @Test(
    "An element that is not a data form is refused",
    arguments: [
      "<x xmlns='jabber:x:data'/>", "<x xmlns='jabber:x:data' type='frob'/>", "<x xmlns='urn:evil' type='form'/>",
      "<query xmlns='jabber:x:data' type='form'/>",
    ])
  func whatIsNoFormIsRefused(_ xml: String) throws {
    let element = try Element(parsing: xml)
    #expect(throws: StanzaFormatError.self) { try DataForm(element) }
  }

  @Test(
    "A form with more fields, options or values than the limit is refused",
    arguments: [
      ("field", StanzaLimits.formFields, ""), ("item", StanzaLimits.formItems, ""),
      ("instructions", StanzaLimits.formValues, ""), ("field", 1, "value"), ("field", 1, "option"),
      ("reported", 1, "field"),
      ("item", 1, "field"),
    ])
  func formOfBoundlessSizeIsRefused(_ name: String, _ count: Int, _ inner: String) throws {
    let namespace = DataForm.namespace
    let innerLimit = inner == "field" ? StanzaLimits.formFields : StanzaLimits.formValues
    func form(_ count: Int, _ innerCount: Int) -> Element {
      let inside = Array(repeating: Element(inner, namespace), count: inner.isEmpty ? 0 : innerCount)
      let child = Element(name, namespace, [:], inside)
      return Element("x", namespace, ["type": "form"], Array(repeating: child, count: count))
    }
    #expect(throws: Never.self) { try DataForm(form(count, innerLimit)) }
    #expect(throws: StanzaFormatError.self) {
      try DataForm(inner.isEmpty ? form(count + 1, 0) : form(count, innerLimit + 1))
    }
  }

  @Test("Empty items cannot add up without bound") func emptyItemsCannotAddUpWithoutBound() throws {
    let namespace = DataForm.namespace
    let item = Element("item", namespace, [:], Array(repeating: Element("field", namespace), count: 11))
    let form = Element("x", namespace, ["type": "result"], Array(repeating: item, count: 1900))
    #expect(throws: StanzaFormatError.self) { try DataForm(form) }
  }
}
