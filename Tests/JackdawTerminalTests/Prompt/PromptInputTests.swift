// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawTerminal

@Suite struct PromptInputTests {
  private static let end = "\u{1B}[201~"

  private func paste(_ chunks: [String]) -> (paste: PromptInput.Paste?, rest: String) {
    var input = PromptInput()
    input.pasteBegan()
    var found: PromptInput.Paste?
    for chunk in chunks {
      input.append(Array(chunk.utf8))
      if found == nil { found = input.takePaste() }
    }
    var rest: [UInt8] = []
    while let byte = input.popFirst() { rest.append(byte) }
    return (found, String(decoding: rest, as: UTF8.self))
  }

  @Test(
    "A paste is text: newlines are kept, controls are not",
    arguments: [
      ("one", "one"), ("one\rtwo", "one\ntwo"), ("one\r\ntwo\r\n", "one\ntwo"), ("a\tb", "a\tb"),
      ("\u{1B}[31mred\u{9B}0m\u{7F}", "[31mred0m"), ("", ""), ("\r", ""),
    ])
  func aPasteIsText(typed: String, text: String) {
    #expect(paste([typed + Self.end]).paste == PromptInput.Paste(text: text, isCut: false))
  }

  @Test("A paste comes whole, wherever it is split, and what follows is keys") func aPasteComesWhole() {
    let bytes = Array(("täxt\rmore" + Self.end + "k").utf8)
    for split in 0...bytes.count {
      var input = PromptInput()
      input.pasteBegan()
      var found: PromptInput.Paste?
      for chunk in [bytes[..<split], bytes[split...]] {
        input.append(Array(chunk))
        if found == nil { found = input.takePaste() }
      }
      #expect(found?.text == "täxt\nmore")
      #expect(input.popFirst() == UInt8(ascii: "k"))
      #expect(input.isEmpty)
      #expect(!input.isPasting)
    }
  }

  @Test("A paste without bound is cut, and its end is still found") func aPasteWithoutBoundIsCut() {
    let chunk = String(repeating: "x", count: 1000)
    let (found, rest) = paste(Array(repeating: chunk, count: 400) + [Self.end + "k"])
    #expect(found?.isCut == true)
    #expect(found.map { $0.text.utf8.count <= TerminalLimits.pasteBytes } == true)
    #expect(rest == "k")
  }

  @Test("An interrupted paste is dropped to its end, which is not waited for after the second time")
  func anInterruptedPasteIsDroppedToItsEnd() {
    var input = PromptInput()
    input.pasteBegan()
    input.append(Array("abc".utf8))
    #expect(input.takePaste() == nil)
    input.interrupt()
    input.append(Array("/quit\r".utf8))
    #expect(input.takePaste() == nil)
    #expect(input.isEmpty)
    input.append(Array((Self.end + "k").utf8))
    #expect(input.takePaste() == nil)
    #expect(!input.isPasting)
    #expect(input.popFirst() == UInt8(ascii: "k"))

    input.pasteBegan()
    input.interrupt()
    #expect(input.isPasting)
    input.interrupt()
    #expect(!input.isPasting)
  }

  @Test("A paste behind a key is taken when its turn comes") func aPasteBehindAKeyIsTakenWhenItsTurnComes() {
    var input = PromptInput()
    input.append(Array("k\u{1B}[200~text\r\(Self.end)l".utf8))
    #expect(!input.isPasteNext)
    #expect(input.popFirst() == UInt8(ascii: "k"))
    #expect(input.isPasteNext)
    input.putFirst(0x07)
    #expect(!input.isPasteNext)
    #expect(input.popFirst() == 0x07)
    #expect(input.isPasteNext)
    input.takePasteMark()
    #expect(input.takePaste() == PromptInput.Paste(text: "text", isCut: false))
    #expect(input.popFirst() == UInt8(ascii: "l"))
    #expect(input.isEmpty)
  }
}
