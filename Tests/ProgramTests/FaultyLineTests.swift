// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Glibc
import Support
import Testing

/// The network on the way to a real server fails, and the program reconnects by itself.
@Suite("A faulty line")
struct FaultyLineTests {
  /// They wait for most of their time.
  private static let gate = Gate(2)

  // MARK: Clock jump, suspend

  @Test(
    "that died while the program was stopped is found dead by the question at its return", arguments: [false, true])
  func stopped(atThePrompt: Bool) async throws {
    try await Self.gate.inside { try await stop(atThePrompt: atThePrompt) }
  }

  private func stop(atThePrompt: Bool) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await FaultProxy.with(to: bob.server) { proxy in
        let bob = bob.through(proxy)
        let invocation = bob.invocation(
          ["--json"] + (atThePrompt ? [] : ["listen"]), terminal: atThePrompt ? .init(columns: 300, rows: 30) : nil)
        try await TestProcess.withProcess(invocation) { program in
          try await program.expect(#""state":"online""#)
          // All that a log-in asks for has come, so that nothing but the question is sent at the return.
          try await alice.sees(bob)
          program.signal(SIGSTOP)
          try await eventually { try isStopped(program.id) }
          proxy.swallow()
          program.signal(SIGCONT)
          // The answer may take 15 s; without the question it would be 75, more than is waited for.
          try await program.expect(#""state":"retrying""#)
          try await program.expect(#""state":"resumed""#)
          try await alice.does("send", bob.jid, "you are back")
          try await program.expect(#""body":"you are back""#)
        }
      }
    }
  }

  private func isStopped(_ id: Int32) throws -> Bool {
    try #require(KernelFile.read("/proc/\(id)/stat")).contains(") T ")
  }

  // MARK: Slow

  struct SlowLine {
    let pace: FaultProxy.Pace
    /// Where pieces split the client's XML, TLS is begun first. Expat since its mending of CVE-2023-52425 (2.6, and Debian's
    /// patched 2.5) puts off the end of an unfinished tag until twice as much of it has come: a server that reads with it
    /// waits for ever for the end of a stream's header that comes byte by byte. In TLS it gets whole records.
    var isDirect = false
    var isSlowToServer = true
  }

  @Test(
    "that is slow still carries everything",
    arguments: [
      SlowLine(pace: .init(bytes: 1, interval: .microseconds(100)), isDirect: true),
      SlowLine(pace: .init(bytes: 1, interval: .microseconds(100)), isSlowToServer: false),
      SlowLine(pace: .init(delay: .milliseconds(150))),
      SlowLine(pace: .init(delay: .milliseconds(20), bytes: 100, interval: .milliseconds(5)), isDirect: true),
    ])
  func slow(_ line: SlowLine) async throws {
    try await Self.gate.inside { try await goSlowly(line) }
  }

  private func goSlowly(_ line: SlowLine) async throws {
    try await withPair(on: .prosody, friends: true) { alice, bob in
      try await FaultProxy.with(to: bob.server, isDirect: line.isDirect) { proxy in
        proxy.slow(line.pace, .toClient)
        if line.isSlowToServer { proxy.slow(line.pace, .toServer) }
        let (alice, bob) = (alice.through(proxy), bob.through(proxy))
        // How long it takes is for the machine to say.
        let long = Duration.seconds(300)
        try await bob.listening("--timeout", "300", "--json", "--count", "1") { listening in
          try await listening.expect(#""state":"online""#, within: long)
          let send = alice.invocation(["--timeout", "300", "send", bob.jid, "byte by byte"])
          #expect(try await TestProcess.run(send, within: long).ending == .exited(0))
          try await listening.expect(#""body":"byte by byte""#, within: long)
          #expect(try await listening.wait() == .exited(0))
        }
      }
    }
  }

  // MARK: Half open, half closed, reset

  enum Blow: CaseIterable {
    case reset, endFromTheServer, endToTheServer
  }

  @Test("that is reset or closed on one side only comes back", arguments: TestServer.Kind.allCases, Blow.allCases)
  func blow(_ kind: TestServer.Kind, _ blow: Blow) async throws {
    try await Self.gate.inside { try await strike(kind, blow) }
  }

  private func strike(_ kind: TestServer.Kind, _ blow: Blow) async throws {
    try await withPair(on: kind, friends: true) { alice, bob in
      try await FaultProxy.with(to: bob.server) { proxy in
        let bob = bob.through(proxy)
        try await bob.listening("--json", "--count", "2") { listening in
          try await listening.expect(#""state":"online""#)
          try await alice.sees(bob)
          try await alice.does("send", bob.jid, "before")
          try await listening.expect(#""body":"before""#)
          switch blow {
          case .reset: proxy.reset()
          case .endFromTheServer: proxy.finish(.toClient)
          case .endToTheServer: proxy.finish(.toServer)
          }
          try await listening.expect(#""state":"retrying""#)
          try await listening.expect(#""state":"resumed""#)
          try await alice.does("send", bob.jid, "after")
          #expect(try await listening.wait() == .exited(0))
          #expect(proxy.connections == 2)
        }
      }
    }
  }

  // MARK: Close at each phase

  @Test(
    "that breaks at whatever step of the log-in is tried again, after a wait",
    arguments: [FaultProxy.Fault.close, .reset])
  func phases(_ fault: FaultProxy.Fault) async throws {
    try await Self.gate.inside { try await breakAtEachStep(fault) }
  }

  /// What it says of its connection, each with the time of the day by its own clock, in seconds.
  private static func states(in output: String) -> [(name: String, time: Double)] {
    let events = output.matches(
      of: /"event":"connection","time":"[^"]*T(\d\d):(\d\d):([\d.]+)Z"[^}\r\n]*"state":"([a-z]+)"/)
    return events.map { event in
      let (_, hours, minutes, seconds, name) = event.output
      let time = [hours, minutes, seconds].reduce(0) { 60 * $0 + (Double($1) ?? 0) }
      return (String(name), time)
    }
  }

  private func breakAtEachStep(_ fault: FaultProxy.Fault) async throws {
    try await withPair(on: .prosody) { alice, bob in
      let whole = try await FaultProxy.with(to: alice.server, after: .max) { proxy in
        try await alice.through(proxy).does("send", bob.jid, "all is well")
        return proxy.bytesFromServer
      }
      let steps = 7
      for step in 0..<steps {
        try await FaultProxy.with(to: alice.server, fault, after: (whole - 300) * step / steps) { proxy in
          let prompt = alice.through(proxy).invocation(["--json"], terminal: .init(columns: 300, rows: 30))
          try await TestProcess.withProcess(prompt) { prompt in
            try await prompt.expect(#""state":"retrying""#)
            proxy.plan(fault, after: nil)
            try await prompt.expect(#""state":"online""#)
            let states = Self.states(in: prompt.standardOutput)
            let first = try #require(states.firstIndex { $0.name == "retrying" })
            let next = try #require(states[first...].first { $0.name == "connecting" })
            #expect(next.time - states[first].time > 0.9, "a wait comes first: \(states)")
            // Where the second came before the plan, there is a third.
            let tries = prompt.standardOutput.matches(of: /"state":"connecting"/).count
            #expect(tries >= 2 && proxy.connections == tries)
            prompt.send("/quit" + Key.enter)
            #expect(try await prompt.wait() == .exited(0))
          }
        }
      }
    }
  }
}
