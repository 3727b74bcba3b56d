// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

/// What is fed with arbitrary bytes: by libFuzzer in `make fuzz`, with the files of its corpus in `make test`.
struct FuzzTarget: Sendable {
  /// Also the name of its folder in `Tests/Fuzz/Corpus`.
  let name: String
  /// Throws ``PropertyFailure`` where what must always hold does not; traps where the product does.
  let run: @Sendable (inout FuzzInput) throws -> Void

  static let all = [
    FuzzTarget(name: "decoder", run: DecoderProperties.check),
    FuzzTarget(name: "stream", run: StreamProperties.check),
    FuzzTarget(name: "addresses", run: AddressProperties.check),
    FuzzTarget(name: "scram", run: SCRAMProperties.check),
    FuzzTarget(name: "stanzas", run: StanzaProperties.check),
    FuzzTarget(name: "lines", run: LineProperties.check),
    FuzzTarget(name: "configuration", run: ConfigurationProperties.check),
    FuzzTarget(name: "screen", run: ScreenProperties.check),
    FuzzTarget(name: "json", run: JSONProperties.check),
    FuzzTarget(name: "contacts", run: ContactProperties.check),
  ]
}

/// Something that must hold for every input does not hold for this one.
struct PropertyFailure: Error, CustomStringConvertible {
  let description: String
}

func require(_ condition: Bool, _ message: @autoclosure () -> String) throws(PropertyFailure) {
  if !condition { throw PropertyFailure(description: message()) }
}
