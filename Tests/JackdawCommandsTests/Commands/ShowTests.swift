// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import JackdawLoop
import Support
import Testing

@testable import JackdawCommands

@Client @Suite("/show", .onLoop)
struct ShowTests {
  @Test(
    "prints a folded text piece by piece, the last one where no number is given", arguments: [("", "c"), (" 1", "a")])
  func show(_ words: String, _ first: String) async throws {
    let rig = try ApplicationRig(TypedLines("/show\(words)\n"))
    rig.output.foldings = [1: ["a", "b"], 2: ["c"]]
    let run = try await rig.start()
    #expect(run.value == .success)
    #expect(rig.output.order.last == (first == "a" ? "b" : "c"))
    #expect(rig.output.order.contains(first))
  }

  @Test("waits between the pieces where nobody reads them")
  func patience() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.output.foldings = [1: ["a", "b"]]
    let run = try await rig.start()
    rig.output.holdsBack = true
    rig.prompt.type("/show")
    await rig.fixture.clock.settle()
    #expect(rig.output.order.contains("a") && !rig.output.order.contains("b"))
    rig.output.holdsBack = false
    await rig.fixture.clock.settle()
    #expect(rig.output.order.contains("b"))
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
    #expect(run.hasEnded)
  }

  @Test("is stopped by Ctrl-C, and says so")
  func stopped() async throws {
    let rig = try ApplicationRig(isTerminal: true)
    rig.output.foldings = [1: ["a", "b"]]
    let run = try await rig.start()
    rig.output.holdsBack = true
    rig.prompt.type("/show 1")
    await rig.fixture.clock.settle()
    rig.prompt.delegate?.promptInterrupted()
    await rig.fixture.clock.settle()
    #expect(rig.output.notices == ["Stopped /show 1."])
    rig.output.holdsBack = false
    await rig.fixture.clock.settle()
    #expect(rig.output.order.contains("a") && !rig.output.order.contains("b"))
    rig.prompt.type("/quit")
    await rig.fixture.clock.settle()
    #expect(run.value == .success)
  }

  @Test("says that there is nothing to print", arguments: ["/show", "/show 7"])
  func nothing(_ line: String) async throws {
    let rig = try ApplicationRig(TypedLines(line + "\n"))
    let run = try await rig.start()
    #expect(run.value == .badInput)
  }

  @Test("is completed with the numbers of what is folded")
  func completion() async throws {
    let rig = try ApplicationRig()
    let completer = Completer(table: .standard, account: try rig.application.account(), foldedNumbers: { [3, 12] })
    #expect(completer.completions(words: ["/show"], partial: "1").map(\.text) == ["12"])
  }
}
