// swift-tools-version: 6.2
// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import PackageDescription

/// Where each distribution has libxml2's headers. What pkg-config says would link the library, too, which is to be loaded late.
let libxml2Headers = ["-I/usr/include/libxml2"]

/// A new warning of a newer compiler must not keep anyone from installing: it is an error where one works on the program, and where it is
/// built with its tests (`make check`).
let warningsAreErrors: SwiftSetting =
  Context.environment["JACKDAW_STRICT"] == nil
  ? .treatAllWarnings(as: .error, .when(configuration: .debug)) : .treatAllWarnings(as: .error)

/// What every target of ours is compiled with.
let ours: [SwiftSetting] = [
  .unsafeFlags(libxml2Headers.flatMap { ["-Xcc", $0] }),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  warningsAreErrors,
]

/// And most of them where the tests are built (`make check`): not optimised, as most of it is run once.
let strict = Context.environment["JACKDAW_STRICT"] == nil ? ours : ours + [.unsafeFlags(["-Onone"])]

/// A target of ours: the module table of Docs/ARCHITECTURE.md, checked by `make check-imports`.
/// - Parameter isHot: a large part of the tests' time is spent in it; it is optimised for them, too.
func module(_ name: String, _ dependencies: [Target.Dependency], isHot: Bool = false) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: isHot ? ours : strict)
}

/// - Parameter linked: libraries of which the tests use more than the program does, which loads them by itself.
func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = [], linked: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["Support"], exclude: exclude, swiftSettings: strict,
    linkerSettings: linked.map { .linkedLibrary($0) })
}

func library(_ name: String, _ package: String) -> Target {
  .systemLibrary(name: name, providers: [.apt([package])])
}

/// What `make fuzz` feeds with noise: a program in a build directory of its own, and otherwise a suite that has each target run
/// once with every file of its corpus.
func fuzzing() -> Target {
  let dependencies: [Target.Dependency] = [
    "JackdawLoop", "JackdawXML", "JackdawProtocol", "JackdawSession", "JackdawCommands", "JackdawTerminal",
  ]
  guard Context.environment["JACKDAW_FUZZ"] == nil else {
    return .executableTarget(
      name: "Fuzz", dependencies: dependencies, path: "Tests/Fuzz", exclude: ["Corpus", "CorpusTests", "fuzz.sh"],
      swiftSettings: strict)
  }
  return .testTarget(
    name: "FuzzCorpusTests", dependencies: dependencies + ["Support"], path: "Tests/Fuzz",
    exclude: ["Corpus", "Program", "fuzz.sh"], swiftSettings: strict)
}

let package = Package(
  name: "jackdaw",
  products: [.executable(name: "jackdaw", targets: ["jackdaw"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
  ],
  targets: [
    library("CResolv", "libc6-dev"),
    library("CTimerFD", "libc6-dev"),
    library("CPrctl", "libc6-dev"),
    library("CSpawn", "libc6-dev"),
    library("CMarkup", "libc6-dev"),

    .target(name: "CArguments"),

    // Libraries that are loaded at their first use.
    .target(name: "CLateLibrary"),
    .target(name: "CIDN2", dependencies: ["CLateLibrary"]),
    .target(name: "CLibXML2", dependencies: ["CLateLibrary"], cSettings: [.unsafeFlags(libxml2Headers)]),
    .target(name: "COpenSSL", dependencies: ["CLateLibrary"]),
    .target(name: "CQREncode", dependencies: ["CLateLibrary"]),
    .target(name: "CReadline", dependencies: ["CLateLibrary"]),
    .target(name: "CSQLite", dependencies: ["CLateLibrary"]),

    // A shim in C++: RE2 has no interface in C.
    .target(name: "CRE2", linkerSettings: [.linkedLibrary("re2")]),

    module("JackdawLoop", ["CPrctl", "CSpawn", "CTimerFD"], isHot: true),
    module("JackdawXML", ["CLibXML2", "CMarkup"], isHot: true),
    module("JackdawHosts", []),
    module("JackdawTransport", ["JackdawLoop", "JackdawHosts", "COpenSSL", "CResolv"]),
    module("JackdawProtocol", ["JackdawXML", "JackdawHosts", "COpenSSL", "CIDN2"]),
    module("JackdawSession", ["JackdawLoop", "JackdawXML", "JackdawHosts", "JackdawTransport", "JackdawProtocol"]),
    module("JackdawStore", ["JackdawLoop", "JackdawHosts", "JackdawProtocol", "JackdawSession", "CSQLite"]),
    module(
      "JackdawCommands",
      [
        "JackdawLoop", "JackdawXML", "JackdawHosts", "JackdawTransport", "JackdawProtocol", "JackdawSession", "CRE2",
        "TOMLKit",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    module(
      "JackdawTerminal",
      ["JackdawLoop", "JackdawProtocol", "JackdawSession", "JackdawCommands", "CReadline", "CQREncode"]),
    .executableTarget(
      name: "jackdaw",
      dependencies: [
        "JackdawLoop", "JackdawXML", "JackdawTransport", "JackdawProtocol", "JackdawSession", "JackdawStore",
        "JackdawCommands", "JackdawTerminal", "CArguments",
      ],
      swiftSettings: strict),

    .target(
      name: "Support",
      dependencies: [
        "CSpawn", "JackdawLoop", "JackdawXML", "JackdawHosts", "JackdawTransport", "JackdawProtocol", "JackdawSession",
      ],
      path: "Tests/Support", exclude: ["Servers", "Generators", "PromptProbe", "Strangers", "TransportProbe"],
      swiftSettings: strict),
    .executableTarget(
      name: "prompt-probe", dependencies: ["JackdawLoop", "JackdawSession", "JackdawCommands", "JackdawTerminal"],
      path: "Tests/Support/PromptProbe", swiftSettings: strict),
    .executableTarget(
      name: "transport-probe", dependencies: ["JackdawTransport", "JackdawLoop"], path: "Tests/Support/TransportProbe",
      swiftSettings: strict),
    .target(
      name: "DecoderPeer", dependencies: ["CLibXML2"], path: "Tests/Performance/Peers/decoder",
      cSettings: [.unsafeFlags(libxml2Headers)]),
    .executableTarget(
      name: "DecoderBenchmark", dependencies: ["JackdawXML", "DecoderPeer"], path: "Tests/Performance/Decoder",
      exclude: ["measure.sh"], swiftSettings: strict),
    .executableTarget(
      name: "ArchiveBenchmark", dependencies: ["JackdawLoop", "JackdawProtocol", "JackdawSession", "JackdawStore"],
      path: "Tests/Performance/Archive", exclude: ["measure.sh", "fill.py", "pages.py", "check.py"],
      swiftSettings: strict),
    .target(name: "AllocationCounter", path: "Tests/Performance/Peers/allocations"),
    .executableTarget(
      name: "EngineBenchmark",
      dependencies: ["JackdawLoop", "JackdawXML", "JackdawProtocol", "JackdawSession", "AllocationCounter"],
      path: "Tests/Performance/Engine", exclude: ["measure.sh"], swiftSettings: strict),
    .executableTarget(
      name: "TextBenchmark",
      dependencies: ["JackdawLoop", "JackdawProtocol", "JackdawSession", "JackdawCommands", "JackdawTerminal"],
      path: "Tests/Performance/Text", exclude: ["measure.sh"], swiftSettings: strict),
    tests("JackdawLoopTests", ["JackdawLoop"]),
    tests("JackdawXMLTests", ["JackdawXML"]),
    tests("JackdawHostsTests", ["JackdawHosts"]),
    tests(
      "JackdawTransportTests", ["JackdawTransport", "JackdawHosts", "JackdawLoop", "COpenSSL", "transport-probe"],
      linked: ["ssl", "crypto"]),
    tests("JackdawProtocolTests", ["JackdawProtocol", "JackdawHosts", "JackdawXML"]),
    tests(
      "JackdawSessionTests",
      ["JackdawSession", "JackdawStore", "JackdawProtocol", "JackdawHosts", "JackdawXML", "JackdawLoop"]),
    tests(
      "JackdawStoreTests", ["JackdawStore", "JackdawSession", "JackdawProtocol", "JackdawHosts"], exclude: ["Fixtures"],
      linked: ["sqlite3"]),
    tests(
      "JackdawCommandsTests",
      [
        "JackdawCommands", "JackdawSession", "JackdawStore", "JackdawProtocol", "JackdawXML", "JackdawHosts",
        "JackdawTransport", "JackdawLoop",
      ]),
    tests(
      "JackdawTerminalTests",
      ["JackdawTerminal", "JackdawCommands", "JackdawSession", "JackdawProtocol", "JackdawLoop", "prompt-probe"],
      exclude: ["Golden"]),
    tests(
      "IntegrationTests",
      ["JackdawSession", "JackdawProtocol", "JackdawXML", "JackdawHosts", "JackdawTransport", "JackdawLoop"]),
    fuzzing(),
    tests("ProgramTests", ["JackdawCommands", "JackdawHosts", "JackdawSession"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)
