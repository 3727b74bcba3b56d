// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: 2026 The Jackdaw authors

import Testing

@testable import JackdawProtocol

@Suite("SCRAM: published exchanges")
struct SCRAMVectorTests {
  struct Vector: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var hash: SCRAMHash
    var binding = SCRAMBinding.impossible
    var clientNonce: String
    var clientFirst: String
    var serverFirst: String
    var clientFinal: String
    var serverFinal: String
  }

  static let vectors: [Vector] = [
    Vector(
      testDescription: "RFC 5802 5, SHA-1", hash: .sha1, clientNonce: "fyko+d2lbbFgONRv9qkxdawL",
      clientFirst: "n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL",
      serverFirst: "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096",
      clientFinal: "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
      serverFinal: "v=rmF9pqV8S7suAoZWja4dJRkFsKQ="),
    Vector(
      testDescription: "RFC 7677 3, SHA-256", hash: .sha256, clientNonce: "rOprNGfwEbeRWgbNEkqO",
      clientFirst: "n,,n=user,r=rOprNGfwEbeRWgbNEkqO",
      serverFirst: "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
      clientFinal: "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
        + "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=",
      serverFinal: "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="),
    // No RFC has one for SHA-512: made with Python's hashlib from the values of RFC 7677.
    Vector(
      testDescription: "SHA-512", hash: .sha512, clientNonce: "rOprNGfwEbeRWgbNEkqO",
      clientFirst: "n,,n=user,r=rOprNGfwEbeRWgbNEkqO",
      serverFirst: "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
      clientFinal: "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
        + "p=gMGXRcevScNtxZ6/8lQYpGtnsNAc3mGcmNomv+xnoOMw+3R2xNJdMNnzMlTN8PPC6wdp6dybEmDYXYTxwnYPJQ==",
      serverFinal: "v=ZQnYEgWQMFmmsM8aQMF0nDDCy/AgCzkwk8CmMZYcMg0vSVlKDanekLtifDSeVGT4+5ZxXnJq199RVG2rR7N7Zw=="),
    Vector(
      testDescription: "SHA-512 bound by tls-exporter", hash: .sha512,
      binding: .bound(ChannelBinding(kind: .exporter, data: Array(0..<32))), clientNonce: "rOprNGfwEbeRWgbNEkqO",
      clientFirst: "p=tls-exporter,,n=user,r=rOprNGfwEbeRWgbNEkqO",
      serverFirst: "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
      clientFinal: "c=cD10bHMtZXhwb3J0ZXIsLAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f,"
        + "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
        + "p=jVaGV/PIJ7hgkpxV9a1jdpzyYkHQH9gW6fn3DbAL2oEA+5w4CCSJjoq8G37bn2FsGaVEMsk4kiHRqMUoN/aiiA==",
      serverFinal: "v=bTvxua5nsJsvSd2bk+1WbSe84MBgjkACQPOqiN7MhTBLYxVX2QUqwET2NLcZEv2CfexR6NbAMluKltOEs5vLYw=="),
  ]

  private static let offer = SASLOffer(mechanisms: [], channelBindingTypes: nil)
  private static let password = Array("pencil".utf8).withUnsafeBytes { SecretBytes($0) }

  @Test("Each message is the published one", arguments: vectors)
  func exchange(_ vector: Vector) throws {
    var exchange = SCRAMExchange(vector.hash, binding: vector.binding, username: "user", nonce: vector.clientNonce)
    #expect(String(decoding: exchange.initialResponse, as: UTF8.self) == vector.clientFirst)
    #expect(!exchange.hasSentProof)
    let step = try exchange.challenged(
      Array(vector.serverFirst.utf8), password: Self.password, cached: nil, offer: Self.offer, needsOfferProof: false)
    guard case .derive(let derivation) = step else {
      Issue.record("no derivation")
      return
    }
    #expect(exchange.isDeriving)
    let keys = try #require(derivation.run())
    let final = try #require(try exchange.keysDerived(keys))
    #expect(String(decoding: final, as: UTF8.self) == vector.clientFinal)
    #expect(exchange.hasSentProof)
    #expect(try exchange.succeeded(Array(vector.serverFinal.utf8)) == keys)
  }

  @Test("Keys of an earlier log-in are taken up where everything that they depend on is the same", arguments: vectors)
  func cachedKeys(_ vector: Vector) throws {
    let first = try SCRAMServerFirst(Array(vector.serverFirst.utf8), clientNonce: Array(vector.clientNonce.utf8))
    let derivation = SCRAMDerivation(
      hash: vector.hash, password: Self.password, salt: first.salt, iterations: first.iterations)
    let keys = try #require(derivation.run())
    var exchange = SCRAMExchange(vector.hash, binding: vector.binding, username: "user", nonce: vector.clientNonce)
    let step = try exchange.challenged(
      Array(vector.serverFirst.utf8), password: Self.password, cached: keys, offer: Self.offer, needsOfferProof: false)
    guard case .respond(let final) = step else {
      Issue.record("derived again")
      return
    }
    #expect(String(decoding: final, as: UTF8.self) == vector.clientFinal)

    var others = [derivation, derivation, derivation, derivation]
    others[0].salt[0] ^= 1
    others[1].iterations += 1
    others[2].hash = vector.hash == .sha1 ? .sha256 : .sha1
    others[3].password = Array("other".utf8).withUnsafeBytes { SecretBytes($0) }
    #expect(keys.fit(derivation))
    #expect(others.allSatisfy { !keys.fit($0) })
    // Of an earlier process: nothing shows of which password they were made.
    let kept = try #require(keys.asKept)
    #expect(kept.areKept && !keys.areKept)
    #expect(kept.fit(derivation) && kept.fit(others[3]))
    #expect(others[..<3].allSatisfy { !kept.fit($0) })
  }

  @Test("a derivation that nobody waits for any more ends", arguments: SCRAMHash.allCases)
  func unwantedDerivation(_ hash: SCRAMHash) {
    let derivation = SCRAMDerivation(
      hash: hash, password: Self.password, salt: Array("salt".utf8), iterations: 1_000_000)
    var questions = 0
    let keys = derivation.run {
      questions += 1
      return questions < 3
    }
    #expect(keys == nil)
    #expect(questions == 3)
  }

  /// RFC 6070, the vectors of as many bytes as the hash.
  @Test(
    "PBKDF2 as published",
    arguments: [
      (1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"), (2, "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957"),
      (4_096, "4b007901b765489abead49d926f721d065a429c1"),
    ])
  func publishedPBKDF2(_ vector: (iterations: Int32, output: String)) throws {
    let salted = try #require(
      SCRAMCrypto.saltedPassword(
        .sha1, password: Array("password".utf8).withUnsafeBytes { SecretBytes($0) }, salt: Array("salt".utf8),
        iterations: vector.iterations, while: { true }))
    let digits = salted.withUnsafeBytes { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) } }
    #expect(digits.joined() == vector.output)
  }

  @Test("XEP-0474's example: the hash over an offer")
  func downgradeHash() {
    let offer = SASLOffer(
      mechanisms: ["SCRAM-SHA-1-PLUS", "SCRAM-SHA-1"], channelBindingTypes: ["tls-server-end-point", "tls-exporter"])
    let text = DowngradeHash.text(of: offer)
    #expect(text == Array("SCRAM-SHA-1\u{1E}SCRAM-SHA-1-PLUS\u{1F}tls-exporter\u{1E}tls-server-end-point".utf8))
    #expect(SCRAMCrypto.digest(.sha1, text) == Base64.decode("G6k/rBLDqgOhRRaCuuatSDFkJ08=".utf8))
    #expect(
      DowngradeHash.text(of: SASLOffer(mechanisms: ["B", "A"], channelBindingTypes: nil)) == Array("A\u{1E}B".utf8))
    #expect(DowngradeHash.text(of: SASLOffer(mechanisms: ["A"], channelBindingTypes: [])) == Array("A\u{1F}".utf8))
    // Octets, not Unicode's order: "Z" before "a" before "é".
    #expect(
      DowngradeHash.text(of: SASLOffer(mechanisms: ["é", "a", "Z"], channelBindingTypes: nil))
        == Array("Z\u{1E}a\u{1E}é".utf8))
  }

  @Test(
    "Names: a comma and an equals sign in a user name are escaped",
    arguments: [("a,b", "a=2Cb"), ("a=b", "a=3Db"), ("=2C", "=3D2C"), ("ä", "ä"), (",=,", "=2C=3D=2C")])
  func escaping(name: String, written: String) {
    #expect(String(decoding: SCRAMClientMessage.escaped(name), as: UTF8.self) == written)
  }

  @Test("A secret does not show in a description")
  func secretHygiene() throws {
    let request = try StreamDriver.request(password: "hunter2")
    var dumped = ""
    dump(request, to: &dumped)
    dump(StreamMachine(request), to: &dumped)
    dump(Self.password, to: &dumped)
    #expect(!dumped.contains("hunter2"))
    #expect(!dumped.contains("pencil"))
    #expect("\(Self.password)" == "(secret)")
  }
}

extension SCRAMKeys {
  fileprivate func fit(_ derivation: SCRAMDerivation) -> Bool {
    fit(
      derivation.hash, salt: derivation.salt, iterations: derivation.iterations, password: derivation.password)
  }

  /// As a later process has them.
  var asKept: SCRAMKeys? {
    SCRAMKeys(
      hashName: hashName, salt: salt, iterations: Int(iterations), clientKey: clientKey.withUnsafeBytes { Array($0) },
      serverKey: serverKey.withUnsafeBytes { Array($0) })
  }
}
